import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { ByteWalk } from './walk.ts';

const windowBytes = 512 * 1024;

/** Up to `length` bytes at `at`; fewer only at the end of the file. */
export async function readAt(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, at + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/**
 * Returns the SHA-256 (hex) of the file, which is read once in half a megabyte of memory. `walk`
 * gets the bytes of [from, to) on the way. Other tasks run between the pieces.
 */
export async function readThrough(
  file: FileHandle,
  walk?: { readonly steps: ByteWalk; readonly from: number; readonly to: number },
): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(windowBytes);
  // buffer[0] is byte `origin` of the file; the first `kept` bytes are left from the last round.
  let origin = 0;
  let kept = 0;
  let walked = walk?.from ?? 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, kept, buffer.length - kept, origin + kept);
    if (bytesRead === 0) return hash.digest('hex');
    const filled = kept + bytesRead;
    hash.update(buffer.subarray(kept, filled));
    if (walk !== undefined) {
      const begin = Math.max(walked, origin) - origin;
      const end = Math.min(origin + filled, walk.to) - origin;
      if (begin < end) {
        const isLast = origin + end === walk.to;
        walked = origin + begin + walk.steps.advance(buffer.subarray(begin, end), isLast);
      }
    }
    const keepFrom =
      walk !== undefined && walked < walk.to ? Math.min(walked - origin, filled) : filled;
    const from = Math.max(keepFrom, 0);
    buffer.copyWithin(0, from, filled);
    origin += from;
    kept = filled - from;
  }
}
