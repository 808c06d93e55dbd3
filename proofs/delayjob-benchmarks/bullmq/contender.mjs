import { createRequire } from 'node:module';
import { Queue, Worker } from 'bullmq';

const require = createRequire(import.meta.url);
const QUEUE = 'orders';
const JOB_OPTIONS = { removeOnComplete: true, attempts: 3, backoff: { type: 'fixed', delay: 1 } };

/** BullMQ: one queue, and one worker of the asked concurrency, as its guide has it. Finished jobs are removed. */
export class Contender {
  #connection;
  #queue;
  #worker;

  constructor(store) {
    const url = new URL(store);
    this.#connection = { host: url.hostname, port: Number(url.port) };
    this.#queue = new Queue(QUEUE, { connection: this.#connection, defaultJobOptions: JOB_OPTIONS });
    this.#queue.on('error', console.error);
  }

  settings() {
    return {
      release: `bullmq-${require('bullmq/package.json').version}`,
      node: process.version,
      client: `ioredis-${require('ioredis/package.json').version}`,
      removeOnComplete: 'true',
    };
  }

  async submit(job) {
    const { name, data, opts } = entry(job);
    await this.#queue.add(name, data, opts);
  }

  async submitAll(jobs) {
    await this.#queue.addBulk(jobs.map(entry));
  }

  async consume(workers, work) {
    const run = (job) => work(job.id, job.data.dueMillis, job.attemptsMade + 1);
    this.#worker = new Worker(QUEUE, run, { connection: this.#connection, concurrency: workers });
    this.#worker.on('error', console.error);
    await this.#worker.waitUntilReady();
  }

  async close() {
    await this.#worker?.close(true);
    await this.#queue.close();
  }
}

/** A job is due at its timestamp plus its delay; both are of the same clock reading. */
function entry({ id, dueMillis, payload }) {
  const timestamp = Date.now();
  const delay = Math.max(0, dueMillis - timestamp);
  return { name: 'close-order', data: { dueMillis, payload }, opts: { jobId: id, timestamp, delay } };
}
