import { get, type IncomingMessage } from 'node:http';
import type { Target } from './load.ts';

/** A response in the form in which the bare server sends it; the body in base64. */
export interface TakenResponse {
  readonly status: number;
  /** Name, value, name, value …; without those that Node sets itself. */
  readonly headers: readonly string[];
  readonly body: string;
}

const setByNode = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** Sends a request over a new connection. */
export function takeResponse(target: Target, signal: AbortSignal): Promise<TakenResponse> {
  return ask(target, signal, async (response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return {
      status: response.statusCode ?? 0,
      headers: withoutNodesOwn(response.rawHeaders),
      body: Buffer.concat(chunks).toString('base64'),
    };
  });
}

/** The same for a large response: returns only its length. The status must be 200. */
export function measureSize(target: Target, signal: AbortSignal): Promise<number> {
  return ask(target, signal, async (response) => {
    let sizeBytes = 0;
    for await (const chunk of response) sizeBytes += (chunk as Buffer).length;
    if (response.statusCode !== 200) throw new Error(`${target.url}: ${response.statusCode}`);
    return sizeBytes;
  });
}

function ask<Result>(
  { url, headers }: Target,
  signal: AbortSignal,
  read: (response: IncomingMessage) => Promise<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false, signal }, (response) => {
      read(response).then(resolve, reject);
    });
    request.on('error', reject);
  });
}

export function headerOf({ headers }: TakenResponse, name: string): string | undefined {
  const at = headers.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === name);
  return at < 0 ? undefined : headers[at + 1];
}

function withoutNodesOwn(raw: readonly string[]): string[] {
  return raw.filter((_, i) => !setByNode.has((raw[i - (i % 2)] ?? '').toLowerCase()));
}
