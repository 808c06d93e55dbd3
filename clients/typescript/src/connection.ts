import { DelayJobError, type Problem } from './errors.js';

const TYPES = 'urn:delayjob:problem:';
const ELSEWHERE = [301, 302, 303, 307, 308, 404, 405];
/** No connection was made: by the network, or because a certificate is refused. */
const UNREACHED = /^E(CONNREFUSED|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH)$|^UND_ERR_CONNECT_TIMEOUT$|CERT|_SSL_|_TLS_|LEAF_SIGNATURE/;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2_000;

/** A request to the API. */
export interface Request {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** As JSON; see `written`. */
  body?: string;
  headers?: Record<string, string>;
  /** A field of each answer of a delayjob server. */
  field: string;
  /** How long one try may take; a function is told its number, from 1. */
  tryMs: number | ((tries: number) => number);
  /** Until when it is repeated, as a time of `Date.now()`. */
  deadline: number;
  /** Is told each failure that may pass, and says whether another try follows; it does if left out. */
  patience?: (failure: DelayJobError) => boolean;
  /** Ends the request; it then fails with an `AbortError`. */
  signal?: AbortSignal;
}

/** An answer, and how many tries it took: after more than one, an earlier one may have taken effect. */
export interface Answer<T> {
  value: T;
  tries: number;
}

/** A failed try. `retryAfterMs` is what the server asks for; undefined if the same request cannot succeed later. */
class Failure {
  constructor(
    readonly error: DelayJobError,
    readonly retryAfterMs?: number,
  ) {}
}

/** Sends requests to a server, and repeats those whose failure may pass, not before `Retry-After`. */
export class Connection {
  readonly #url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#url = checkedUrl(url);
    this.#token = checkedToken(token);
  }

  async call<T>(request: Request): Promise<Answer<T>> {
    let reached = false;
    let unsure = false;
    for (let tries = 1; ; tries++) {
      const outcome: { value: T } | Failure = await this.#attempt<T>(request, tries, reached, unsure);
      if (!(outcome instanceof Failure)) {
        return { value: outcome.value, tries };
      }
      const error: DelayJobError = outcome.error;
      const waitMs = Math.max(backoffMs(tries), outcome.retryAfterMs ?? 0);
      const passes = outcome.retryAfterMs !== undefined && Date.now() + waitMs < request.deadline;
      if (!passes || request.patience?.(error) === false) {
        throw error;
      }
      ({ reached, unsure } = error);
      await sleep(waitMs, request.signal);
    }
  }

  async #attempt<T>(request: Request, tries: number, reached: boolean, unsure: boolean): Promise<{ value: T } | Failure> {
    const uri = `${this.#url}/api/v1${request.path}`;
    const abort = new AbortController();
    const stop = () => abort.abort();
    request.signal?.addEventListener('abort', stop);
    const longestMs = typeof request.tryMs === 'number' ? request.tryMs : request.tryMs(tries);
    const tryMs = Math.min(longestMs, request.deadline - Date.now());
    const timer = setTimeout(stop, tryMs);
    try {
      request.signal?.throwIfAborted();
      const answer = await fetch(uri, {
        method: request.method,
        headers: { ...request.headers, Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' },
        body: request.body ?? null,
        redirect: 'manual',
        signal: abort.signal,
      });
      const text = await answer.text();
      return answer.ok ? read<T>(uri, answer.status, text, request.field) : refused(uri, answer, text, unsure);
    } catch (cause) {
      request.signal?.throwIfAborted();
      return unanswered(uri, cause, tryMs, reached, unsure);
    } finally {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', stop);
    }
  }
}

/** The JSON of a body. Fails with a `TypeError` that names the value if one cannot be written, such as a `bigint`. */
export function written(body: object): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new TypeError(`${placeOf(body).join('.') || 'the request'} cannot be written as JSON (${shown(String(cause))})`, { cause });
  }
}

/** The names that lead to a value that cannot be written, five at most: it may contain itself. */
function placeOf(value: unknown, most = 5): string[] {
  const part = most > 0 ? Object.entries(value ?? {}).find(([, inner]) => !isWritable(inner)) : undefined;
  return part ? [part[0], ...placeOf(part[1], most - 1)] : [];
}

function isWritable(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}

function checkedUrl(url: string): string {
  const parsed = parseUrl(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.search || parsed.hash) {
    throw new TypeError(
      'url must be the address of a delayjob server, such as https://jobs.example.com: http or https, a host, and no user, query or fragment',
    );
  }
  return parsed.href.replace(/\/+$/, '');
}

function parseUrl(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}

function checkedToken(token: string): string {
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,500}$/.test(token)) {
    throw new TypeError('token must be 1 to 500 visible ASCII characters without spaces');
  }
  return token;
}

function read<T>(uri: string, status: number, text: string, field: string): { value: T } | Failure {
  try {
    const value = JSON.parse(text);
    if (!(field in value)) {
      throw new TypeError(`the answer has no ${field}`);
    }
    return { value };
  } catch (cause) {
    const message = `${uri} answered ${status}, but not as a delayjob server does; is the url the address of one?`;
    return new Failure(new DelayJobError(message, { status, reached: true, unsure: true, cause }));
  }
}

function refused(uri: string, answer: Response, text: string, unsureBefore: boolean): Failure {
  const { status } = answer;
  const problem = parseProblem(text);
  const type = problem ? ` (${problem.type.slice(TYPES.length)})` : '';
  const detail = problem?.detail ?? (ELSEWHERE.includes(status) ? '' : shown(text));
  const error = new DelayJobError(`${uri} answered ${status}${type}${detail && `: ${detail}`}${remedy(status, problem)}`, {
    status,
    problem,
    reached: true,
    unsure: unsureBefore || (status >= 500 && problem?.outcome !== 'NOT_STORED'),
  });
  return new Failure(error, passes(status, problem) ? retryAfterMs(answer) : undefined);
}

function parseProblem(text: string): Problem | undefined {
  try {
    const body = JSON.parse(text);
    return typeof body?.type === 'string' && body.type.startsWith(TYPES) ? body : undefined;
  } catch {
    return undefined;
  }
}

function shown(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 200);
}

/** Whether the same request may succeed later. Jobs that replicas did not acknowledge are stored: the caller decides what follows. */
function passes(status: number, problem: Problem | undefined): boolean {
  const keyInUse = problem?.type === `${TYPES}key-in-use`;
  return (status === 408 || status === 429 || status >= 500 || keyInUse) && problem?.outcome !== 'NOT_REPLICATED';
}

function remedy(status: number, problem: Problem | undefined): string {
  if (status === 401) {
    return '; use a valid token of this server';
  } else if (status === 403) {
    return '; use a token with this role';
  } else if (!problem && ELSEWHERE.includes(status)) {
    return '; the url is not the address of a delayjob server (without /api/v1), or the server is older than this client';
  } else if (problem?.detail.startsWith('unknown field')) {
    return '; the field is misspelled, or the server is older than this client';
  }
  return '';
}

function retryAfterMs(answer: Response): number {
  const value = answer.headers.get('Retry-After') ?? '';
  const wait = /^\d{1,9}$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return wait > 0 ? wait : 0;
}

function unanswered(uri: string, cause: unknown, tryMs: number, reachedBefore: boolean, unsureBefore: boolean): Failure {
  const code = errorCode(cause);
  const reached = !UNREACHED.test(code);
  const message = reached
    ? `${uri} gave no answer (${code === 'AbortError' ? `within ${tryMs} ms` : code})`
    : `${uri} cannot be reached (${code}); check the url, and that the server runs`;
  const facts = { reached: reachedBefore || reached, unsure: unsureBefore || reached, cause };
  return new Failure(new DelayJobError(message, facts), 0);
}

function errorCode(failure: unknown): string {
  const error = failure as { code?: unknown; cause?: unknown; name?: string };
  if (error.cause && typeof error.cause === 'object') {
    return errorCode(error.cause);
  }
  return typeof error.code === 'string' ? error.code : (error.name ?? String(failure));
}

/** Doubles from 100 ms to 2 s, less up to a fifth at random. */
function backoffMs(tries: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 10), LONGEST_WAIT_MS) * (1 - Math.random() / 5);
}

/** Fails with an `AbortError` as soon as the signal is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', aborted);
      resolve();
    }, ms);
    if (signal?.aborted) {
      aborted();
    } else {
      signal?.addEventListener('abort', aborted, { once: true });
    }
  });
}
