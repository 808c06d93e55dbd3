import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { duration, type ClaimedJob, type DelayJobClient } from './client.js';
import { sleep, written, type Answer } from './connection.js';
import type { DelayJobError } from './errors.js';
import { Run, type Handler } from './run.js';
import { Settler } from './settler.js';
import { Slots } from './slots.js';

const ANSWER_MS = 10_000;
const END_MS = 500;
const REPEAT_MS = 2_000;
/** A claim with an id gets no more. */
const MOST = 200;
const LONGEST_WAIT_MS = 60_000;
/** A longer timer ends at once. */
const LONGEST_GRACE_MS = 2_147_483_647;

/** Options of a worker. */
export interface WorkerOptions {
  /** Whose jobs it claims, in order of preference. */
  queues: string[];
  /** Runs the jobs of each topic. A job of another topic fails its attempt. */
  handlers: Record<string, Handler>;
  /** How many jobs run at once; 10 if left out. */
  concurrency?: number;
  /** How many claims wait at once; 2 if left out. */
  claims?: number;
  /** How long a claim waits for a job, 1 to 60,000; 20,000 if left out. */
  waitMs?: number;
  /** The lease of jobs that were submitted without one, such as `PT30S`; that of the queue if left out. */
  lease?: string;
  /** The name that is shown with its jobs; host and process id if left out. */
  name?: string;
  /** How long running jobs may take when the worker stops; 20,000 if left out. */
  graceMs?: number;
  /** Is told what goes wrong; writes it to the standard error if left out. An outage is told once. */
  onProblem?: (error: Error) => void;
}

/**
 * Claims due jobs and runs them, until it is stopped. The lease of a job is extended while its handler runs. A claim whose answer was lost is
 * repeated with its id, so that its jobs run at once and lose no attempt. Outages of the server are waited out.
 */
export class Worker {
  readonly #client: DelayJobClient;
  readonly #options: Required<Omit<WorkerOptions, 'lease'>> & Pick<WorkerOptions, 'lease'>;
  readonly #settler: Settler;
  readonly #slots: Slots;
  readonly #runs = new Map<Run, Promise<void>>();
  readonly #stopping = new AbortController();
  #reached = false;
  #outage = false;

  constructor(client: DelayJobClient, options: WorkerOptions) {
    this.#client = client;
    // One that is undefined is left out.
    this.#options = {
      ...options,
      concurrency: options.concurrency ?? 10,
      claims: options.claims ?? 2,
      waitMs: options.waitMs ?? 20_000,
      name: options.name ?? `${hostname()}-${process.pid}`,
      graceMs: options.graceMs ?? 20_000,
      onProblem: options.onProblem ?? ((error) => console.error(`delayjob: ${error.message}`)),
    };
    if (!(this.#options.concurrency >= 1 && this.#options.claims >= 1)) {
      throw new RangeError('concurrency and claims must be at least 1');
    }
    checkRange('waitMs', this.#options.waitMs, 1, LONGEST_WAIT_MS);
    checkRange('graceMs', this.#options.graceMs, 0, LONGEST_GRACE_MS);
    this.#settler = new Settler(client.connection, () => Math.min(...[...this.#runs.keys()].map((run) => run.leaseMs)));
    this.#slots = new Slots(this.#options.concurrency);
  }

  /**
   * Works until `stop` is called, and its jobs have ended or were given back. Called once.
   *
   * @throws DelayJobError if the server refuses the worker, or was never reached within the client's timeout
   */
  async run(): Promise<void> {
    const claims = Math.min(this.#options.claims, this.#options.concurrency);
    const share = Math.min(Math.ceil(this.#options.concurrency / claims), MOST);
    const loops = Array.from({ length: claims }, () => this.#claimWhileItRuns(share));
    try {
      await Promise.all(loops);
    } finally {
      this.stop();
      await Promise.allSettled(loops);
      await this.#endRuns();
    }
  }

  /** Claims nothing more. Running jobs get the grace period, then are aborted, and given back half a second later. */
  stop(): void {
    this.#stopping.abort();
    this.#slots.close();
  }

  async #claimWhileItRuns(share: number): Promise<void> {
    for (let free = await this.#slots.take(share); free > 0; free = await this.#slots.take(share)) {
      const { value, tries } = await this.#claim(free);
      this.#slots.give(free - value.jobs.length);
      value.jobs.forEach((job) => this.#begin(job, tries > 1));
    }
  }

  async #claim(max: number): Promise<Answer<{ jobs: ClaimedJob[] }>> {
    const { queues, waitMs, name, lease } = this.#options;
    const body = { queues, max, wait: duration(waitMs), worker: name, lease, claimId: randomUUID() };
    const request = { method: 'POST', path: '/claims', field: 'jobs', body: written(body), tryMs: waitMs + ANSWER_MS } as const;
    const begun = Date.now();
    try {
      const answer = await this.#client.connection.call<{ jobs: ClaimedJob[] }>({
        ...request,
        deadline: Infinity,
        patience: (failure) => this.#isPatient(failure, begun),
        signal: this.#stopping.signal,
      });
      this.#reached = true;
      this.#outage = false;
      return answer;
    } catch (error) {
      if (!this.#stopping.signal.aborted) {
        throw error;
      }
      await this.#giveBackClaimed({ ...body, wait: duration(0) });
      return { value: { jobs: [] }, tries: 1 };
    }
  }

  /** A claim that was hung up may have been answered meanwhile: its repeat says with which jobs. */
  async #giveBackClaimed(body: object): Promise<void> {
    try {
      const { value } = await this.#client.connection.call<{ jobs: ClaimedJob[] }>({
        method: 'POST',
        path: '/claims',
        field: 'jobs',
        body: written(body),
        tryMs: ANSWER_MS,
        deadline: Date.now() + REPEAT_MS,
      });
      await Promise.all(value.jobs.map((job) => new Run(job, this.#settler, this.#options.onProblem).giveBack()));
    } catch {
      // They run when their leases end.
    }
  }

  /** A server that was never reached may have another address; any other outage is waited out. */
  #isPatient(failure: DelayJobError, begun: number): boolean {
    this.#reached ||= failure.reached;
    if (!this.#outage && this.#reached) {
      this.#options.onProblem(failure);
      this.#outage = true;
    }
    return this.#reached || Date.now() - begun < this.#client.timeoutMs;
  }

  #begin(job: ClaimedJob, late: boolean): void {
    const run = new Run(job, this.#settler, this.#options.onProblem);
    const handler = this.#options.handlers[job.topic] ?? noHandler;
    const ended = run.run(handler, late).finally(() => {
      this.#runs.delete(run);
      this.#slots.give(1);
    });
    this.#runs.set(run, ended);
  }

  async #endRuns(): Promise<void> {
    await this.#ended(this.#options.graceMs);
    this.#settler.endWithin(ANSWER_MS);
    this.#runs.forEach((_ended, run) => run.stop());
    await this.#ended(END_MS);
    await Promise.all([...this.#runs.keys()].map((run) => run.giveBack()));
  }

  /** Waits until all runs have ended, but no longer than so long. */
  async #ended(ms: number): Promise<void> {
    const time = new AbortController();
    await Promise.race([Promise.all(this.#runs.values()), sleep(ms, time.signal).catch(() => undefined)]);
    time.abort();
  }
}

function checkRange(name: string, value: number, least: number, most: number): void {
  if (!(value >= least && value <= most)) {
    throw new RangeError(`${name} must be ${least} to ${most}: ${value}`);
  }
}

function noHandler(job: ClaimedJob): never {
  throw new Error(`this worker has no handler for topic '${job.topic}'`);
}
