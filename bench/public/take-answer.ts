import { get } from 'node:http';
import type { Target } from './load.ts';

/** An answer as a server would be told to send it; the body in base64. */
export interface TakenAnswer {
  readonly status: number;
  /** Name, value, name, value …; without those that Node sets itself. */
  readonly headers: readonly string[];
  readonly body: string;
}

const setByNode = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** Asks over a connection of its own. */
export function takeAnswer({ url, headers }: Target, signal: AbortSignal): Promise<TakenAnswer> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false, signal }, async (response) => {
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        resolve({
          status: response.statusCode ?? 0,
          headers: withoutNodesOwn(response.rawHeaders),
          body: Buffer.concat(chunks).toString('base64'),
        });
      } catch (error) {
        reject(error);
      }
    });
    request.on('error', reject);
  });
}

export function headerOf({ headers }: TakenAnswer, name: string): string | undefined {
  const at = headers.findIndex((text, i) => i % 2 === 0 && text.toLowerCase() === name);
  return at < 0 ? undefined : headers[at + 1];
}

function withoutNodesOwn(raw: readonly string[]): string[] {
  return raw.filter((_, i) => !setByNode.has((raw[i - (i % 2)] ?? '').toLowerCase()));
}
