import type { Readable } from 'node:stream';

/**
 * At most `mostBytes` of a body, as far as they arrive within `timeoutMs`. A body that breaks off is not a failure.
 * The connection is used again only if all of the body has arrived.
 */
export async function readBeginning(
  body: Readable,
  { mostBytes, timeoutMs }: { readonly mostBytes: number; readonly timeoutMs: number },
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => body.destroy(), timeoutMs);
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes >= mostBytes) break;
    }
  } catch {
    // What arrived is kept.
  } finally {
    clearTimeout(timer);
    body.destroy();
  }
  return Buffer.concat(chunks).subarray(0, mostBytes);
}
