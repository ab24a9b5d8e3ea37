import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { FuzzedRequest } from './make-request.ts';
import { mutate, type Random } from './random.ts';

export interface FuzzedResponse {
  /** Undefined: the connection was closed without a response. */
  readonly status: number | undefined;
  /** The beginning of the body. */
  readonly text: string;
  /** No response came within the time limit. */
  readonly isSilent: boolean;
}

/** More than any request may take, apart from those that wait for an incomplete body. */
const patienceMs = 40_000;
const mostBytes = 64 * 1024;
const streamMs = 30;

/** Sends requests over a few connections, as a client that can write anything. */
export class Sender implements Disposable {
  readonly #url: URL;
  readonly #agent: Agent;

  constructor(url: string, connections: number) {
    this.#url = new URL(url);
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  /** Sends well-formed HTTP. Targets that Node does not write are sent as they are. */
  send(request: FuzzedRequest): Promise<FuzzedResponse> {
    const { method, target, headers, body } = request;
    const isWritable = /^\/[\x21-\x7e]*$/.test(target) && headers['upgrade'] === undefined;
    if (!isWritable || headers['expect'] !== undefined)
      return this.sendRaw(write(request, this.#url.host));
    return new Promise((resolve) => {
      const { hostname, port } = this.#url;
      const sent = httpRequest({
        hostname,
        port,
        method,
        path: target,
        headers,
        agent: this.#agent,
      });
      const timer = setTimeout(() => {
        resolve({ status: undefined, text: '', isSilent: true });
        sent.destroy();
      }, patienceMs);
      const end = (found: FuzzedResponse) => {
        clearTimeout(timer);
        resolve(found);
      };
      sent.on('error', () => end({ status: undefined, text: '', isSilent: false }));
      sent.on('response', (response) => readBeginning(response, end));
      sent.end(body);
    });
  }

  /** Sends these bytes on a connection of their own. */
  sendRaw(bytes: string, isWhole = true): Promise<FuzzedResponse> {
    return new Promise((resolve) => {
      let text = '';
      const socket = connect(Number(this.#url.port), this.#url.hostname);
      const end = (isSilent: boolean) => {
        clearTimeout(timer);
        const [, status] = /^HTTP\/1\.1 (?!100)(\d{3})/m.exec(text) ?? [];
        resolve({ status: status === undefined ? undefined : Number(status), text, isSilent });
        socket.resetAndDestroy();
      };
      const timer = setTimeout(() => end(isWhole), isWhole ? patienceMs : 50);
      socket.setEncoding('latin1').on('data', (piece: string) => {
        text += piece;
        if (/^HTTP\/1\.1 (?!100)\d{3}/m.test(text) && text.includes('\r\n\r\n')) end(false);
      });
      socket.on('error', () => end(false)).on('close', () => end(false));
      socket.write(bytes, 'latin1');
    });
  }

  /** Sends broken HTTP: mutated, repeated or cut off. */
  sendBroken(random: Random, request: FuzzedRequest): Promise<FuzzedResponse> {
    const text = write(request, this.#url.host);
    const kind = random.below(4);
    if (kind === 0) return this.sendRaw(mutate(random, text), false);
    if (kind === 1) return this.sendRaw(text.slice(0, random.below(text.length)), false);
    if (kind === 2) return this.sendRaw(text.repeat(1 + random.below(5)), false);
    return this.sendRaw(mutate(random, mutate(random, mutate(random, text))), false);
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

/** Streams of events and long files are left after a moment. */
function readBeginning(response: IncomingMessage, end: (found: FuzzedResponse) => void): void {
  const { statusCode: status } = response;
  let text = '';
  const finish = () => end({ status, text, isSilent: false });
  const leave = setTimeout(
    () => {
      finish();
      response.destroy();
    },
    isStream(response) ? streamMs : patienceMs,
  );
  response.setEncoding('latin1').on('data', (piece: string) => {
    if (text.length < mostBytes) text += piece;
  });
  response.on('close', () => {
    clearTimeout(leave);
    finish();
  });
  response.on('error', finish);
}

function isStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

function write({ method, target, headers, body = '' }: FuzzedRequest, host: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const bytes = Buffer.from(body).toString('latin1');
  if (bytes !== '') lines.push(`content-length: ${bytes.length}`);
  return `${[`${method} ${target} HTTP/1.1`, `host: ${host}`, ...lines].join('\r\n')}\r\n\r\n${bytes}`;
}
