import type { components } from './api.js';

/** The body of an error answer (RFC 9457). */
export type Problem = components['schemas']['ProblemDetail'] & Record<string, unknown>;

/** The server refused a request, or gave no answer. The message is one sentence that says what to do. */
export class DelayJobError extends Error {
  override readonly name = 'DelayJobError';
  /** The HTTP status of the last answer; undefined if there was none. */
  readonly status?: number;
  /** The last answer of the server; undefined if none of a delayjob server came. */
  readonly problem?: Problem;
  /** Whether a connection was ever made; false if no try reached the address. */
  readonly reached: boolean;
  /** Whether the request may have taken effect. */
  readonly unsure: boolean;

  constructor(message: string, facts: { status?: number; problem?: Problem; reached: boolean; unsure: boolean; cause?: unknown }) {
    super(message, { cause: facts.cause });
    this.status = facts.status;
    this.problem = facts.problem;
    this.reached = facts.reached;
    this.unsure = facts.unsure;
  }

  /** The kind of problem, such as `no-such-job`; empty if the answer names none. */
  get type(): string {
    return this.problem?.type.replace('urn:delayjob:problem:', '') ?? '';
  }
}

/** Thrown by a handler: the job is dead at once, whatever attempts it has left. */
export class NonRetryableError extends Error {
  override readonly name = 'NonRetryableError';
}

/**
 * Thrown by a handler that was told to slow down: the attempt does not count, and no job with the same key begins for this time;
 * without a key, none of its queue.
 */
export class RateLimitedError extends Error {
  override readonly name = 'RateLimitedError';

  /** @param delay an ISO-8601 duration, such as `PT30S` */
  constructor(
    message: string,
    readonly delay: string,
  ) {
    super(message);
  }
}

/** Thrown by a handler: the next attempt follows after this delay instead of the job's backoff. */
export class RetryLaterError extends Error {
  override readonly name = 'RetryLaterError';

  /** @param delay an ISO-8601 duration, such as `PT30S` */
  constructor(
    message: string,
    readonly delay: string,
  ) {
    super(message);
  }
}
