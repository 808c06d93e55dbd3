import { DelayJobClient, Worker, duration } from 'delayjob';

const client = new DelayJobClient({
  url: process.env.DELAYJOB_URL ?? 'http://localhost:8080',
  token: process.env.DELAYJOB_TOKEN,
});

await client.submit('greetings', { topic: 'greet', param: { name: 'Ann' }, delay: duration(1_000) });

const worker = new Worker(client, {
  queues: ['greetings'],
  handlers: {
    greet: async (job) => console.log('hello', job.param.name),
  },
});
process.once('SIGTERM', () => worker.stop());
process.once('SIGINT', () => worker.stop());
await worker.run();
