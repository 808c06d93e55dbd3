import type { Settlement } from './client.js';
import { written, type Connection } from './connection.js';
import { DelayJobError } from './errors.js';

const MOST = 1_000;
/** So many tries are short enough for another one within a lease. A server that is slow rather than silent gets longer for all that follow. */
const SHORT_TRIES = 3;
const SHORT_TRY_MS = 3_000;
const LONG_TRY_MS = 10_000;

interface Waiting {
  json: string;
  resolve: (settled: Settled) => void;
  reject: (error: unknown) => void;
}

/** The answer to a settlement. */
export interface Settled {
  applied: boolean;
  /** Whether it was sent more than once: then an earlier try may have been applied. */
  repeated: boolean;
}

/** Sends settlements: one request at a time, with all that has gathered meanwhile. */
export class Settler {
  readonly #waiting: Waiting[] = [];
  #sending = false;
  #deadline = Infinity;

  /** @param shortestLeaseMs the shortest lease of the jobs in hand; infinite if there are none */
  constructor(
    private readonly connection: Connection,
    private readonly shortestLeaseMs: () => number,
  ) {}

  /** Waits for a server that does not answer only so long from now on; until then it waits without end. */
  endWithin(ms: number): void {
    this.#deadline = Date.now() + ms;
  }

  /** Fails by itself if it cannot be written as JSON, and not with the others of its request. */
  settle(settlement: Settlement): Promise<Settled> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ json: written(settlement), resolve, reject });
      if (!this.#sending) {
        this.#sending = true;
        // Together with those that are settled in the same turn of the event loop.
        setImmediate(() => void this.#sendAll());
      }
    });
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#send(this.#waiting.splice(0, MOST));
    }
    this.#sending = false;
  }

  /** If the server refuses the request, each half is sent by itself, so that one settlement that is not valid stops no other. */
  async #send(batch: Waiting[]): Promise<void> {
    try {
      const { value, tries } = await this.connection.call<{ results: { applied: boolean }[] }>({
        method: 'POST',
        path: '/settlements',
        field: 'results',
        body: `{"settlements":[${batch.map((one) => one.json).join()}]}`,
        tryMs: (tries) => (tries > SHORT_TRIES ? LONG_TRY_MS : Math.min(SHORT_TRY_MS, this.shortestLeaseMs() / 4)),
        deadline: Infinity,
        patience: () => Date.now() < this.#deadline,
      });
      batch.forEach((one, i) => one.resolve({ applied: value.results[i]!.applied, repeated: tries > 1 }));
    } catch (error) {
      if (batch.length > 1 && error instanceof DelayJobError && [400, 413].includes(error.status ?? 0)) {
        const half = batch.length >> 1;
        await this.#send(batch.slice(0, half));
        await this.#send(batch.slice(half));
      } else {
        batch.forEach((one) => one.reject(error));
      }
    }
  }
}
