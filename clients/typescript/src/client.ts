import { randomUUID } from 'node:crypto';
import type { components } from './api.js';
import { Connection, written, type Answer } from './connection.js';
import { DelayJobError } from './errors.js';

type Schemas = components['schemas'];

/** A job to submit; `delay` and `dueAt` say when it is due. */
export type Job = Schemas['JobBody'];
/** The result of a submit. */
export type Submitted = Schemas['SubmittedView'];
/** A stored job. */
export type StoredJob = Schemas['JobView'];
/** The result of a cancel. */
export type Cancelled = Schemas['ActionView'];
/** A claim of due jobs of `queues`. */
export type Claim = Omit<Schemas['ClaimBody'], 'wait'> & { queues: string[] };
/** A job that this process is to run. */
export type ClaimedJob = Schemas['ClaimedJobView'];
/** How a claimed job ended, or goes on. */
export type Settlement = Schemas['Settlement'];
/** The result of one job of many. */
export type BatchResult = Schemas['ResultView'];

/** Where the server is. */
export interface ClientSettings {
  /** The address, without `/api/v1`. */
  url: string;
  token: string;
  /** How long a call may take, its repeats included; 10,000 if left out. A claim may take its wait longer. */
  timeoutMs?: number;
}

/** Options of a submit. */
export interface SubmitOptions {
  /** For a day, repeats with the same key and the same job are the same submit, whichever process makes them. */
  idempotencyKey?: string;
}

/**
 * Asks a delayjob server. Requests that fail for a while are repeated until the timeout, not before the `Retry-After` of an answer; so are
 * those whose answer was lost. All calls fail with a `DelayJobError`, or with a `TypeError` if a value cannot be written as JSON.
 */
export class DelayJobClient {
  readonly connection: Connection;
  readonly timeoutMs: number;

  constructor(settings: ClientSettings) {
    this.connection = new Connection(settings.url, settings.token);
    this.timeoutMs = settings.timeoutMs ?? 10_000;
  }

  /**
   * Stores a job. A job without an id gets a random one here, so that a repeat stores nothing twice; if it has a dedupe key, the submit gets
   * an idempotency key instead. With an id of your own, a repeat after a lost answer says `EXISTS`.
   */
  async submit(queue: string, job: Job, options: SubmitOptions = {}): Promise<Submitted> {
    const { body, headers, named } = repeatable(job, options);
    const { value, tries } = await this.#call<Submitted>('POST', jobsOf(queue), 'outcome', body, headers);
    return named && tries > 1 && value.outcome === 'EXISTS' ? { ...value, outcome: 'STORED' } : value;
  }

  /** Stores up to 1,000 jobs; the results are in the same order. If one is not valid, none is stored. */
  async submitAll(queue: string, jobs: Job[], options: SubmitOptions = {}): Promise<BatchResult[]> {
    const parts = jobs.map((job) => repeatable(job, options));
    const headers = Object.assign({}, ...parts.map((part) => part.headers)) as Record<string, string>;
    const body = { jobs: parts.map((part) => part.body) };
    const { value, tries } = await this.#call<{ jobs: BatchResult[] }>('POST', `${jobsOf(queue)}/batch`, 'jobs', body, headers);
    return value.jobs.map((result, i) =>
      parts[i]?.named && tries > 1 && result.outcome === 'EXISTS' ? { ...result, outcome: 'STORED' } : result,
    );
  }

  /** A job; undefined if there is none with this id. */
  async find(queue: string, id: string): Promise<StoredJob | undefined> {
    try {
      return (await this.#call<StoredJob>('GET', jobOf(queue, id), 'state')).value;
    } catch (error) {
      return ifNoSuchJob(error, undefined);
    }
  }

  /** Cancels a job, also while it runs. `done` is false if there is none; after a lost answer, also if an earlier try has cancelled it. */
  async cancel(queue: string, id: string): Promise<Cancelled> {
    try {
      return (await this.#call<Cancelled>('DELETE', jobOf(queue, id), 'done')).value;
    } catch (error) {
      return ifNoSuchJob(error, { id, done: false });
    }
  }

  /** Claims due jobs, waiting for the first one up to 60,000 ms. Without a `claimId`, the jobs of a lost answer wait until their leases end. `Worker` does all that goes with a claim. */
  async claim(claim: Claim, waitMs = 0): Promise<ClaimedJob[]> {
    const answer = await this.#call<{ jobs: ClaimedJob[] }>('POST', '/claims', 'jobs', { ...claim, wait: duration(waitMs) }, {}, waitMs);
    return answer.value.jobs;
  }

  /** Settles up to 1,000 jobs; says of each whether it was applied. After a lost answer, false may mean that an earlier try was. */
  async settle(settlements: Settlement[]): Promise<boolean[]> {
    const body = { settlements };
    const answer = await this.#call<{ results: { applied: boolean }[] }>('POST', '/settlements', 'results', body);
    return answer.value.results.map((result) => result.applied);
  }

  #call<T>(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    field: string,
    body?: object,
    headers: Record<string, string> = {},
    extraMs = 0,
  ): Promise<Answer<T>> {
    const tryMs = this.timeoutMs + extraMs;
    const json = body && written(body);
    return this.connection.call<T>({ method, path, field, body: json, headers, tryMs, deadline: Date.now() + tryMs });
  }
}

function jobsOf(queue: string): string {
  return `/queues/${encodeURIComponent(queue)}/jobs`;
}

function jobOf(queue: string, id: string): string {
  return `${jobsOf(queue)}/${encodeURIComponent(id)}`;
}

/** A job that can be sent twice, and whether it got its id here. */
function repeatable(job: Job, options: SubmitOptions): { body: Job; headers: Record<string, string>; named: boolean } {
  if (options.idempotencyKey !== undefined) {
    return { body: job, headers: { 'Idempotency-Key': options.idempotencyKey }, named: false };
  } else if (job.id != null) {
    return { body: job, headers: {}, named: false };
  } else if (job.dedupe) {
    return { body: job, headers: { 'Idempotency-Key': randomUUID() }, named: false };
  }
  return { body: { ...job, id: randomUUID() }, headers: {}, named: true };
}

function ifNoSuchJob<T>(error: unknown, value: T): T {
  if (error instanceof DelayJobError && error.type === 'no-such-job') {
    return value;
  }
  throw error;
}

/** An ISO-8601 duration, such as `PT1.5S`, of milliseconds. */
export function duration(ms: number): string {
  return `PT${Math.round(ms) / 1_000}S`;
}
