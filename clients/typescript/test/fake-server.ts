import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that was heard. */
export interface Heard {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: any;
}

/** Answers a request; `cut` hangs up instead. */
export type Script = (heard: Heard) => { status?: number; headers?: Record<string, string>; body?: unknown } | 'cut' | Promise<never>;

/** A server that answers as it is told. */
export class FakeServer {
  readonly heard: Heard[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  constructor(private readonly script: Script) {}

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    return closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) {
      parts.push(part as Buffer);
    }
    const text = Buffer.concat(parts).toString();
    const heard = { method: request.method!, path: request.url!, headers: request.headers, body: text ? JSON.parse(text) : undefined };
    this.heard.push(heard);
    const answer = await this.script(heard);
    if (answer === 'cut') {
      request.socket.destroy();
    } else {
      response.writeHead(answer.status ?? 200, { 'Content-Type': 'application/json', ...answer.headers });
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {}));
    }
  }
}

/** The answer of a server to a request that it refuses. */
export function problem(status: number, type: string, more: object = {}): { status: number; body: unknown } {
  return { status, body: { type: `urn:delayjob:problem:${type}`, title: type, status, detail: `it is ${type}`, ...more } };
}
