import type { ClaimedJob, Settlement } from './client.js';
import { written } from './connection.js';
import { DelayJobError, NonRetryableError, RateLimitedError, RetryLaterError } from './errors.js';
import type { Settled, Settler } from './settler.js';

const DEFAULT_LEASE_MS = 9_000;
const LONGEST_TIMER_MS = 2_147_483_647;
const MOST_RESULT_BYTES = 8_192;
/** The server keeps no more. */
const LONGEST_ERROR = 8_192;

/** Runs a job. Its result, any JSON of up to 8,192 bytes or nothing, is stored with the job if its queue keeps finished jobs; throwing fails the attempt. */
export type Handler = (job: ClaimedJob, attempt: Attempt) => unknown;

/** A handler's side of the attempt that it runs. */
export interface Attempt {
  /** Aborted when the attempt no longer holds its job, has used up the job's timeout, or is to end because the worker stops. */
  readonly signal: AbortSignal;
  /** Shows how far the job is. */
  progress(percent: number, text?: string): Promise<void>;
}

/** One attempt of a claimed job: runs the handler, extends the lease meanwhile, and settles the job. */
export class Run implements Attempt {
  readonly #abort = new AbortController();
  readonly leaseMs: number;
  readonly #timers: NodeJS.Timeout[] = [];
  #extending = false;
  #over = false;
  #stopped = false;
  #timedOut = false;

  /** @param report is told what went wrong besides the handler's own error */
  constructor(
    readonly job: ClaimedJob,
    private readonly settler: Settler,
    private readonly report: (error: Error) => void,
  ) {
    this.leaseMs = job.lease === undefined ? DEFAULT_LEASE_MS : (millis(job.lease) ?? DEFAULT_LEASE_MS);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  async progress(percent: number, text?: string): Promise<void> {
    await this.settler.settle({ handle: this.job.handle, action: 'progress', progress: { percent, text } });
  }

  /** @param late whether a part of the lease may have passed already: then it is extended first, and a job that is lost is left alone */
  async run(handler: Handler, late: boolean): Promise<void> {
    if (late && !(await this.#extend())) {
      return;
    }
    this.#timers.push(setInterval(() => void this.#extend(), this.leaseMs / 3));
    const timeoutMs = this.job.timeout === undefined ? undefined : millis(this.job.timeout);
    if (timeoutMs && timeoutMs <= LONGEST_TIMER_MS) {
      this.#timers.push(setTimeout(() => this.#timeOut(), timeoutMs));
    }
    await this.#settle(await this.#outcome(handler));
  }

  /** Asks the handler to end. If it fails after that, its job is given back. */
  stop(): void {
    this.#stopped = true;
    this.#abort.abort(new Error('the worker stops'));
  }

  /** Gives the job back, although its handler has not ended. */
  giveBack(): Promise<void> {
    return this.#settle({ handle: this.job.handle, action: 'release' });
  }

  #timeOut(): void {
    this.#timedOut = true;
    this.#abort.abort(new Error(`the attempt took longer than ${this.job.timeout}`));
  }

  /** False if the job is lost, or its attempt is over. One extension at a time: more would only wait behind it. */
  async #extend(): Promise<boolean> {
    if (this.#over || this.#extending) {
      return !this.#over;
    }
    this.#extending = true;
    try {
      const { handle } = this.job;
      const { applied } = await this.settler.settle({ handle, action: 'extend', lease: `PT${this.leaseMs / 1_000}S` });
      if (!applied && this.#end()) {
        this.#abort.abort(new Error('the attempt no longer holds its job'));
      }
    } catch (error) {
      // The next extension may succeed.
      this.report(error as Error);
    } finally {
      this.#extending = false;
    }
    return !this.#over;
  }

  /** False if it was over already. */
  #end(): boolean {
    const first = !this.#over;
    this.#over = true;
    this.#timers.forEach(clearTimeout);
    return first;
  }

  async #outcome(handler: Handler): Promise<Settlement> {
    const { handle } = this.job;
    try {
      const result: unknown = await handler(this.job, this);
      if (this.#timedOut) {
        throw this.signal.reason;
      }
      checkResult(result);
      return { handle, action: 'complete', result };
    } catch (error) {
      if (this.#stopped) {
        return { handle, action: 'release' };
      } else if (error instanceof NonRetryableError) {
        return { handle, action: 'bury', error: String(error) };
      } else if (error instanceof RateLimitedError) {
        return { handle, action: 'release', delay: error.delay, slowKey: true };
      }
      const delay = error instanceof RetryLaterError ? error.delay : undefined;
      return { handle, action: 'retry', error: String(this.#timedOut ? this.signal.reason : error), delay };
    }
  }

  async #settle(settlement: Settlement): Promise<void> {
    if (!this.#end()) {
      return;
    }
    try {
      const settled = await this.settler.settle(settlement).catch((error: Error) => this.#settleRefused(settlement, error));
      if (!settled.applied && !settled.repeated) {
        this.report(new Error(`job ${this.job.id} of queue ${this.job.queue} was lost before it could ${settlement.action}`));
      }
    } catch (error) {
      this.report(error as Error);
    }
  }

  /** Else the job would run again after its lease, and nobody would learn why. */
  #settleRefused(settlement: Settlement, refusal: Error): Promise<Settled> {
    if (!isRefusal(refusal)) {
      throw refusal;
    }
    this.report(refusal);
    const { handle } = this.job;
    const cause = settlement.error === undefined ? '' : `; the error of the handler: ${settlement.error.slice(0, LONGEST_ERROR)}`;
    return this.settler.settle({ handle, action: settlement.action === 'bury' ? 'bury' : 'retry', error: `${refusal}${cause}` });
  }
}

/** Fails if the server would refuse it. */
function checkResult(result: unknown): void {
  written({ result });
  const bytes = Buffer.byteLength(JSON.stringify(result) ?? '');
  if (bytes > MOST_RESULT_BYTES) {
    throw new RangeError(`the result takes ${bytes} bytes as JSON, more than ${MOST_RESULT_BYTES}; store it elsewhere`);
  }
}

/** Whether a settlement was refused for what it says. */
function isRefusal(error: Error): boolean {
  return error instanceof TypeError || (error instanceof DelayJobError && [400, 413].includes(error.status ?? 0));
}

/** The milliseconds of an ISO-8601 duration as the server writes them, such as `PT1H30M9.5S`; undefined if it is written otherwise. */
export function millis(iso: string): number | undefined {
  const parts = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?$/.exec(iso);
  return parts ? ((Number(parts[1] ?? 0) * 60 + Number(parts[2] ?? 0)) * 60 + Number(parts[3] ?? 0)) * 1_000 : undefined;
}
