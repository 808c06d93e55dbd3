import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import {
  DelayJobClient,
  NonRetryableError,
  RateLimitedError,
  RetryLaterError,
  Worker,
  type Attempt,
  type Settlement,
  type WorkerOptions,
} from '../src/index.js';
import { millis } from '../src/run.js';
import { FakeServer, problem, type Heard, type Script } from './fake-server.js';

type Handlers = WorkerOptions['handlers'];

/** Hands out jobs once, and says of settlements what it is told. */
class Jobs {
  readonly settled: Settlement[] = [];
  readonly batches: Settlement[][] = [];
  applied: (settlement: Settlement) => boolean = () => true;
  refuses: (settlement: Settlement) => boolean = () => false;

  constructor(private jobs: object[]) {}

  answer(heard: Heard): any {
    if (heard.path === '/api/v1/claims') {
      const jobs = this.jobs.splice(0, heard.body.max);
      return jobs.length > 0 || heard.body.wait === 'PT0S' ? { body: { jobs } } : new Promise<never>(() => {});
    }
    const settlements: Settlement[] = heard.body.settlements;
    if (settlements.some(this.refuses)) {
      return problem(400, 'invalid-value');
    }
    this.batches.push(settlements);
    this.settled.push(...settlements);
    return { body: { results: settlements.map((one) => ({ handle: one.handle, applied: this.applied(one) })) } };
  }
}

function job(id: string, more: object = {}): object {
  return { id, queue: 'q', topic: 't', param: null, attempt: 1, handle: `h-${id}`, lease: 'PT30S', ...more };
}

async function work(
  t: TestContext,
  jobs: Jobs,
  handlers: Handlers,
  until: (jobs: Jobs) => boolean,
  options: Partial<WorkerOptions> = {},
  script: Script = (heard) => jobs.answer(heard),
) {
  const server = new FakeServer(script);
  const url = await server.start();
  t.after(() => server.stop());
  const problems: string[] = [];
  const client = new DelayJobClient({ url, token: 't', timeoutMs: 60_000 });
  const worker = new Worker(client, { queues: ['q'], handlers, onProblem: (error) => problems.push(error.message), ...options });
  const ended = worker.run();
  while (!until(jobs)) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  worker.stop();
  await ended;
  return { server, problems };
}

test('a handler decides how its job is settled', async (t) => {
  const outcomes: Record<string, () => unknown> = {
    done: () => undefined,
    result: () => ({ a: 1 }),
    failed: () => {
      throw new Error('boom');
    },
    later: () => {
      throw new RetryLaterError('busy', 'PT5M');
    },
    dead: () => {
      throw new NonRetryableError('bad');
    },
    slow: () => {
      throw new RateLimitedError('429', 'PT30S');
    },
  };
  const jobs = new Jobs([...Object.keys(outcomes).map((id) => job(id)), job('other', { topic: 'x' })]);
  await work(t, jobs, { t: (one) => outcomes[one.id]!() }, () => jobs.settled.length === 7);
  assert.deepEqual(Object.fromEntries(jobs.settled.map(({ handle, ...rest }) => [handle, rest])), {
    'h-done': { action: 'complete' },
    'h-result': { action: 'complete', result: { a: 1 } },
    'h-failed': { action: 'retry', error: 'Error: boom' },
    'h-later': { action: 'retry', error: 'RetryLaterError: busy', delay: 'PT5M' },
    'h-dead': { action: 'bury', error: 'NonRetryableError: bad' },
    'h-slow': { action: 'release', delay: 'PT30S', slowKey: true },
    'h-other': { action: 'retry', error: "Error: this worker has no handler for topic 'x'" },
  });
});

test('jobs that end together are settled together', async (t) => {
  const jobs = new Jobs(Array.from({ length: 50 }, (_, i) => job(`${i}`)));
  await work(t, jobs, { t: () => undefined }, () => jobs.settled.length === 50, { concurrency: 50, claims: 1 });
  assert.ok(jobs.batches.length < 10, `${jobs.batches.length} requests`);
});

test('no more jobs than the concurrency run at once', async (t) => {
  const jobs = new Jobs(Array.from({ length: 20 }, (_, i) => job(`${i}`)));
  let running = 0;
  let most = 0;
  const handler = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running--;
  };
  await work(t, jobs, { t: handler }, () => jobs.settled.length === 20, { concurrency: 3, claims: 2 });
  assert.ok(most <= 3);
});

test('a settlement that the server refuses stops no other, and fails its attempt with the reason', async (t) => {
  const jobs = new Jobs([job('a'), job('b'), job('c')]);
  jobs.refuses = (settlement) => settlement.handle === 'h-b' && settlement.action === 'complete';
  const { problems } = await work(t, jobs, { t: () => undefined }, () => jobs.settled.length === 3);
  assert.deepEqual(jobs.settled.map((one) => one.handle).sort(), ['h-a', 'h-b', 'h-c']);
  const refused = jobs.settled.find((one) => one.handle === 'h-b');
  assert.equal(refused?.action, 'retry');
  assert.match(refused?.error ?? '', /^DelayJobError: .* answered 400 \(invalid-value\): it is invalid-value$/);
  assert.equal(problems.length, 1);
  assert.match(problems[0]!, /invalid-value/);
});

test('a delay that the server refuses leaves the error of the handler with the reason', async (t) => {
  const jobs = new Jobs([job('1')]);
  jobs.refuses = (settlement) => settlement.delay === '5m';
  const handler = () => {
    throw new RetryLaterError('busy', '5m');
  };
  await work(t, jobs, { t: handler }, () => jobs.settled.length === 1);
  const { error, ...rest } = jobs.settled[0]!;
  assert.deepEqual(rest, { handle: 'h-1', action: 'retry' });
  assert.match(error ?? '', /answered 400 .*; the error of the handler: RetryLaterError: busy$/);
});

test('a settlement that the server refuses in every form is told and given up', async (t) => {
  const jobs = new Jobs([job('a'), job('b')]);
  jobs.refuses = (settlement) => settlement.handle === 'h-b';
  const problems: string[] = [];
  const onProblem = (error: Error) => problems.push(error.message);
  await work(t, jobs, { t: () => undefined }, () => jobs.settled.length === 1 && problems.length === 2, { onProblem });
  assert.deepEqual(jobs.settled.map((one) => one.handle), ['h-a']);
});

test('a result that is too long for the server fails the attempt', async (t) => {
  const jobs = new Jobs([job('fits', { param: 4_095 }), job('long', { param: 4_096 })]);
  await work(t, jobs, { t: (one) => 'é'.repeat(one.param as number) }, () => jobs.settled.length === 2);
  const [fits, long] = jobs.settled.sort((a, b) => a.handle.localeCompare(b.handle));
  assert.equal(fits?.action, 'complete');
  assert.deepEqual(long, {
    handle: 'h-long',
    action: 'retry',
    error: 'RangeError: the result takes 8194 bytes as JSON, more than 8192; store it elsewhere',
  });
});

test('a job that is lost is aborted and not settled', async (t) => {
  const jobs = new Jobs([job('1', { lease: 'PT0.3S' })]);
  jobs.applied = (settlement) => settlement.action !== 'extend';
  let reason = '';
  const handler = (_job: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason.message;
        resolve();
      });
    });
  await work(t, jobs, { t: handler }, () => reason !== '');
  assert.equal(reason, 'the attempt no longer holds its job');
  assert.ok(jobs.settled.every((one) => one.action === 'extend'));
});

test('a settlement that is not answered is sent again within the lease', async (t) => {
  const jobs = new Jobs([job('1', { lease: 'PT4S' })]);
  const heard: number[] = [];
  const script = (one: Heard) =>
    one.path === '/api/v1/settlements' && heard.push(Date.now()) === 1 ? new Promise<never>(() => {}) : jobs.answer(one);
  const handler = () => new Promise((resolve) => setTimeout(resolve, 3_000));
  await work(t, jobs, { t: handler }, () => jobs.settled.length > 0, {}, script);
  assert.ok(heard[1]! - heard[0]! < 4_000, `${heard[1]! - heard[0]!} ms`);
});

test('extensions do not pile up while the server does not answer', async (t) => {
  const jobs = new Jobs([job('1', { lease: 'PT0.3S' })]);
  let heard = 0;
  const script = (one: Heard) => (one.path === '/api/v1/settlements' && ++heard <= 4 ? 'cut' : jobs.answer(one));
  const handler = () => new Promise((resolve) => setTimeout(resolve, 1_500));
  await work(t, jobs, { t: handler }, () => jobs.settled.length > 0, { graceMs: 10_000 }, script);
  assert.deepEqual(jobs.batches[0]!.map((one) => one.action), ['extend']);
  assert.ok(jobs.batches.every((batch) => batch.filter((one) => one.action === 'extend').length <= 1));
});

test('a job that outlasts its timeout is aborted and tried again', async (t) => {
  const jobs = new Jobs([job('1', { timeout: 'PT0.1S' })]);
  const handler = (_job: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  await work(t, jobs, { t: handler }, () => jobs.settled.length === 1);
  assert.deepEqual(jobs.settled, [{ handle: 'h-1', action: 'retry', error: 'Error: the attempt took longer than PT0.1S' }]);
});

test('progress is shown', async (t) => {
  const jobs = new Jobs([job('1')]);
  await work(t, jobs, { t: (_job, attempt) => attempt.progress(50, 'half') }, () => jobs.settled.length === 2);
  assert.deepEqual(jobs.settled[0], { handle: 'h-1', action: 'progress', progress: { percent: 50, text: 'half' } });
});

test('progress that cannot be written as JSON fails its own attempt alone', async (t) => {
  const jobs = new Jobs([job('a'), job('b')]);
  const handler = (one: { id: string }, attempt: Attempt) => attempt.progress((one.id === 'a' ? 50n : 50) as number);
  await work(t, jobs, { t: handler }, () => jobs.settled.length === 3);
  const ofA = jobs.settled.filter((one) => one.handle === 'h-a');
  assert.deepEqual(ofA.map((one) => one.action), ['retry']);
  assert.match(ofA[0]!.error!, /^TypeError: progress\.percent cannot be written as JSON/);
  assert.deepEqual(jobs.settled.filter((one) => one.handle === 'h-b').map((one) => one.action), ['progress', 'complete']);
});

test('a handler that does not end is given back when the worker stops', async (t) => {
  const jobs = new Jobs([job('1')]);
  let began = false;
  const handler = () => {
    began = true;
    return new Promise<void>(() => {});
  };
  await work(t, jobs, { t: handler }, () => began, { graceMs: 10 });
  assert.deepEqual(jobs.settled, [{ handle: 'h-1', action: 'release' }]);
});

test('options that are undefined have their defaults', async (t) => {
  const jobs = new Jobs([job('1')]);
  const options = { concurrency: undefined, claims: undefined, waitMs: undefined, name: undefined, graceMs: undefined, lease: undefined };
  const { server } = await work(t, jobs, { t: () => undefined }, () => jobs.settled.length === 1, options);
  const claim = server.heard.find((heard) => heard.path === '/api/v1/claims')!.body;
  assert.equal(claim.max, 5);
  assert.equal(claim.wait, 'PT20S');
  assert.ok(claim.worker);
});

test('times that a worker cannot keep are refused', () => {
  const client = new DelayJobClient({ url: 'http://localhost', token: 't' });
  for (const waitMs of [0, -1, NaN, Infinity, 60_001]) {
    const options = { queues: ['q'], handlers: {}, waitMs };
    assert.throws(() => new Worker(client, options), { name: 'RangeError', message: `waitMs must be 1 to 60000: ${waitMs}` });
  }
  for (const graceMs of [-1, NaN, Infinity, 2 ** 31]) {
    const options = { queues: ['q'], handlers: {}, graceMs };
    assert.throws(() => new Worker(client, options), { name: 'RangeError', message: `graceMs must be 0 to 2147483647: ${graceMs}` });
  }
});

test('durations of the server are read', () => {
  assert.equal(millis('PT9S'), 9_000);
  assert.equal(millis('PT1H30M0.25S'), 5_400_250);
  assert.equal(millis('P1D'), undefined);
});
