// Speaks the protocol of io.delayjob.benchmarks.contender.ContenderMain: a line of JSON in, a line of JSON out; the log goes to
// standard error. Ends with its input.
import { createInterface } from 'node:readline';
import { Session } from './session.mjs';

const session = new Session();

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await answer(line)));
}
process.exit(0);

async function answer(line) {
  try {
    return await session.answer(JSON.parse(line));
  } catch (error) {
    console.error(error);
    return { error: String(error) };
  }
}
