// Does what the lines of the standard input say, and tells what happens in lines of JSON: see Driver.java.
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { DelayJobClient, Worker } from 'delayjob';

const tell = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);
let client;
let worker;

const handlers = {
  greet: (job) => tell({ event: 'ran', id: job.id, attempt: job.attempt, param: job.param }),
  hold: async (job, { signal }) => {
    tell({ event: 'began', id: job.id, attempt: job.attempt });
    try {
      await sleep(job.param, undefined, { signal });
    } finally {
      tell({ event: 'ended', id: job.id, aborted: signal.aborted });
    }
  },
};

const commands = {
  connect: ({ url, token, timeoutMs }) => {
    client = new DelayJobClient({ url, token, timeoutMs });
    return {};
  },
  submit: ({ queue, job }) => client.submit(queue, job),
  find: async ({ queue, id }) => ({ job: (await client.find(queue, id)) ?? null }),
  cancel: ({ queue, id }) => client.cancel(queue, id),
  work: async ({ queue, concurrency, waitMs, graceMs }) => {
    const onProblem = (problem) => tell({ event: 'problem', error: problem.message });
    worker = new Worker(client, { queues: [queue], handlers, concurrency, claims: 1, waitMs, graceMs, onProblem });
    await worker.run();
    return {};
  },
  stop: () => {
    worker.stop();
    return {};
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  Promise.resolve(command)
    .then(commands[command.do])
    .catch((error) => ({ error: error.message }))
    .then((answer) => tell({ event: command.do, ...answer }));
}
process.exit();
