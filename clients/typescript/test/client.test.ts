import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { DelayJobClient, DelayJobError, duration } from '../src/index.js';
import { FakeServer, problem, type Script } from './fake-server.js';

const STORED = { body: { id: '1', queue: 'mail', outcome: 'STORED' } };
const EXISTS = { body: { id: '1', queue: 'mail', outcome: 'EXISTS' } };
const JOB = { topic: 'greet', delay: 'PT1S' };

async function started(t: TestContext, script: Script, timeoutMs = 60_000): Promise<{ server: FakeServer; client: DelayJobClient }> {
  const server = new FakeServer(script);
  const url = await server.start();
  t.after(() => server.stop());
  return { server, client: new DelayJobClient({ url: `${url}/`, token: 'secret', timeoutMs }) };
}

/** Answers the first requests one by one, and all later ones like the last. */
function inTurn(...answers: ReturnType<Script>[]): Script {
  let next = 0;
  return () => answers[Math.min(next++, answers.length - 1)]!;
}

test('a job without an id keeps the id of its first try', async (t) => {
  const { server, client } = await started(t, inTurn('cut', EXISTS));
  assert.equal((await client.submit('mail', JOB)).outcome, 'STORED');
  const [first, second] = server.heard;
  assert.equal(first?.path, '/api/v1/queues/mail/jobs');
  assert.equal(first?.headers.authorization, 'Bearer secret');
  assert.ok(first?.body.id);
  assert.deepEqual(second?.body, first.body);
});

test('an id that is null or undefined is none', async (t) => {
  for (const id of [null, undefined]) {
    const { server, client } = await started(t, inTurn('cut', EXISTS));
    assert.equal((await client.submit('mail', { ...JOB, id: id as undefined })).outcome, 'STORED');
    assert.ok(server.heard[0]?.body.id);
    assert.equal(server.heard[1]?.body.id, server.heard[0].body.id);
  }
});

test('an id of the caller exists after a repeat', async (t) => {
  const { client } = await started(t, inTurn('cut', EXISTS));
  assert.equal((await client.submit('mail', { ...JOB, id: '1' })).outcome, 'EXISTS');
});

test('an idempotency key is sent with every try', async (t) => {
  const { server, client } = await started(t, inTurn('cut', STORED));
  await client.submit('mail', JOB, { idempotencyKey: 'order-42' });
  assert.deepEqual(server.heard.map((heard) => heard.headers['idempotency-key']), ['order-42', 'order-42']);
  assert.equal(server.heard[0]?.body.id, undefined);
});

test('a job with a dedupe key gets an idempotency key', async (t) => {
  const { server, client } = await started(t, inTurn('cut', STORED));
  await client.submit('mail', { ...JOB, dedupe: { key: 'k', scope: 'UNTIL_STARTED' } });
  const keys = server.heard.map((heard) => heard.headers['idempotency-key']);
  assert.ok(keys[0]);
  assert.equal(keys[0], keys[1]);
});

test('many jobs are stored by one request', async (t) => {
  const { server, client } = await started(t, inTurn('cut', { body: { jobs: [{ id: '1', outcome: 'EXISTS' }, { id: '2', outcome: 'EXISTS' }] } }));
  const results = await client.submitAll('mail', [JOB, { ...JOB, id: '2' }]);
  assert.deepEqual(results.map((result) => result.outcome), ['STORED', 'EXISTS']);
  assert.equal(server.heard[0]?.path, '/api/v1/queues/mail/jobs/batch');
});

test('a job is found and cancelled by its encoded id', async (t) => {
  const { server, client } = await started(t, (heard) => ({ body: heard.method === 'GET' ? { state: 'READY' } : { id: 'a/b', done: true } }));
  assert.equal((await client.find('mail', 'a/b'))?.state, 'READY');
  assert.equal((await client.cancel('mail', 'a/b')).done, true);
  assert.deepEqual(server.heard.map((heard) => heard.path), Array(2).fill('/api/v1/queues/mail/jobs/a%2Fb'));
});

test('a job that is not there is neither found nor cancelled', async (t) => {
  const { client } = await started(t, () => problem(404, 'no-such-job'));
  assert.equal(await client.find('mail', '1'), undefined);
  assert.deepEqual(await client.cancel('mail', '1'), { id: '1', done: false });
});

for (const status of [408, 429, 500, 502, 503]) {
  test(`an answer of ${status} is followed by another try, not before Retry-After`, async (t) => {
    const { client } = await started(t, inTurn({ status, headers: { 'Retry-After': '1' }, body: '<html>busy</html>' }, STORED));
    const begun = Date.now();
    await client.submit('mail', JOB);
    assert.ok(Date.now() - begun >= 990);
  });
}

test('a wait that is longer than the timeout is not begun', async (t) => {
  const { server, client } = await started(t, () => ({ ...problem(429, 'too-many-requests'), headers: { 'Retry-After': '3600' } }));
  await assert.rejects(client.submit('mail', JOB), { status: 429, unsure: false, type: 'too-many-requests' });
  assert.equal(server.heard.length, 1);
});

test('a submit that replicas did not acknowledge is not repeated', async (t) => {
  const { server, client } = await started(t, () => problem(503, 'not-confirmed', { outcome: 'NOT_REPLICATED' }));
  await assert.rejects(client.submit('mail', JOB), (error: DelayJobError) => error.problem?.outcome === 'NOT_REPLICATED');
  assert.equal(server.heard.length, 1);
});

test('a failure says whether the job may be stored', async (t) => {
  const { client } = await started(t, () => 'cut', 1_000);
  await assert.rejects(client.submit('mail', JOB), { name: 'DelayJobError', unsure: true, reached: true });
});

for (const [answer, words] of [
  [problem(401, 'unauthenticated'), /answered 401 \(unauthenticated\): it is unauthenticated; use a valid token of this server$/],
  [{ status: 404, body: '<html></html>' }, /answered 404; the url is not the address of a delayjob server .* or the server is older/],
  [{ status: 302, headers: { Location: '/login' }, body: '' }, /answered 302; the url is not the address/],
  [{ status: 200, body: '<html></html>' }, /answered 200, but not as a delayjob server does/],
  [{ status: 200, body: { state: 'UP' } }, /answered 200, but not as a delayjob server does/],
  [problem(400, 'invalid-body', { detail: "unknown field 'tags' in the body" }), /unknown field 'tags' .* older than this client$/],
] as const) {
  test(`an answer of ${answer.status} says what to do: ${words.source}`, async (t) => {
    const { server, client } = await started(t, () => answer);
    await assert.rejects(client.submit('mail', JOB), words);
    assert.equal(server.heard.length, 1);
  });
}

test('a value that cannot be written as JSON is named, and nothing is sent', async (t) => {
  const { server, client } = await started(t, () => STORED);
  const job = { ...JOB, param: { amount: 1n } };
  await assert.rejects(client.submit('mail', job), { name: 'TypeError', message: /^param\.amount cannot be written as JSON \(.*BigInt/ });
  await assert.rejects(client.submitAll('mail', [JOB, job]), /^TypeError: jobs\.1\.param\.amount cannot/);
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  await assert.rejects(client.submit('mail', { ...JOB, param: circular }), /^TypeError: param\.self\.self\.self\.self cannot/);
  assert.equal(server.heard.length, 0);
});

test('an address without a server is named', async () => {
  const server = new FakeServer(() => STORED);
  const url = await server.start();
  await server.stop();
  const client = new DelayJobClient({ url, token: 't', timeoutMs: 1_000 });
  await assert.rejects(client.submit('mail', JOB), { message: new RegExp(`^${url}.* cannot be reached \\(ECONNREFUSED\\); check the url`), unsure: false });
});

test('an address or a token that cannot be one is refused at once', () => {
  for (const url of ['', 'localhost:8080', 'ftp://host', 'http://user@host', 'http://host?a=b']) {
    assert.throws(() => new DelayJobClient({ url, token: 't' }), /url must be the address/);
  }
  assert.throws(() => new DelayJobClient({ url: 'http://host', token: 'a b' }), /token must be/);
});

test('durations are written as ISO-8601', () => {
  assert.equal(duration(1_500), 'PT1.5S');
  assert.equal(duration(3_600_000), 'PT3600S');
});
