import type { Readable } from 'node:stream';
import { ByteCollector } from './byte-collector.ts';

/**
 * At most `mostBytes` of a body, as far as they arrive within `timeoutMs`. A body that breaks off is not a failure.
 * The connection is used again only if all of the body has arrived.
 */
export async function readBeginning(
  body: Readable,
  { mostBytes, timeoutMs }: { readonly mostBytes: number; readonly timeoutMs: number },
): Promise<Buffer> {
  const collected = new ByteCollector();
  const timer = setTimeout(() => body.destroy(), timeoutMs);
  try {
    for await (const chunk of body) {
      collected.add(chunk as Buffer);
      if (collected.length >= mostBytes) break;
    }
  } catch {
    // What arrived is kept.
  } finally {
    clearTimeout(timer);
    body.destroy();
  }
  return collected.toBuffer().subarray(0, mostBytes);
}
