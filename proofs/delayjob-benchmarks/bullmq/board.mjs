// bull-board over one queue of BullMQ: `node board.mjs <address of Redis> <failed jobs> <waiting jobs>`. Makes these jobs, says on standard output
// where it is ready, and ends with its input.
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { Queue, UnrecoverableError, Worker } from 'bullmq';
import express from 'express';

const AT_ONCE = 1000;
const [address, failed, waiting] = process.argv.slice(2);
const url = new URL(address);
const connection = { host: url.hostname, port: Number(url.port) };
const queue = new Queue('mail', { connection });

await add(Number(failed), 'mail', {});
await fail(Number(failed));
await add(Number(waiting), 'order', { delay: 86_400_000 });

const adapter = new ExpressAdapter();
createBullBoard({ queues: [new BullMQAdapter(queue)], serverAdapter: adapter });
const server = express().use('/', adapter.getRouter()).listen(0, '127.0.0.1', () => {
  console.log(`bull-board is ready at http://localhost:${server.address().port}/`);
});
process.stdin.resume().on('end', () => process.exit(0));

async function add(count, prefix, opts) {
  for (let first = 0; first < count; first += AT_ONCE) {
    const length = Math.min(AT_ONCE, count - first);
    await queue.addBulk(
      Array.from({ length }, (_, i) => ({
        name: 'send-mail',
        data: { number: first + i },
        opts: { ...opts, jobId: `${prefix}-${first + i}` },
      })),
    );
  }
}

async function fail(count) {
  const run = async (job) => {
    throw new UnrecoverableError(`mail host ${job.data.number} timed out`);
  };
  const worker = new Worker(queue.name, run, { connection, concurrency: 100 });
  while ((await queue.getFailedCount()) < count) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await worker.close();
}
