import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { utcDayOf } from '../../../../lib/utc-day.ts';
import { newId } from '../../../../lib/uuid.ts';
import type { Context } from '../../../foundation/context.ts';
import { DomainError, invalid } from '../../../foundation/errors.ts';
import { readForeign } from '../../../foundation/read-foreign.ts';
import { sayRefusal } from '../../../foundation/refusals.ts';
import type {
  PlatformEntry,
  PlatformFile,
  PlatformShow,
  PlatformSource,
} from './platform-figures.ts';
import type { PlatformFilePart } from './platform-file-task.ts';
import { maxCsvBytes } from './read-csv.ts';

const module = new URL('./platform-file-task.ts', import.meta.url);
const limits = {
  memoryMb: 640,
  cpuMs: 120_000,
  wallMs: 5 * 60_000,
  resultBytes: 128 * 1024 * 1024,
};

/** One that is checked, and one that is imported. */
const mostPerUser = 2;
const receiving = new Map<string, number>();

/**
 * `readPlatformFile`, in a child process. The file is received first: a slow sender must not keep a
 * process from others. A user sends few at a time, because each needs room on the disk.
 */
export async function readPlatformUpload(
  ctx: Context,
  source: PlatformSource,
  file: AsyncIterable<Uint8Array>,
): Promise<PlatformFile> {
  using _share = takeShare(ctx);
  const path = join(ctx.blobs.scratchDir, `platform-${newId()}.csv`);
  try {
    await receive(ctx, file, path);
    const input = { source, today: utcDayOf(ctx.clock.now()) };
    const files = [() => createReadStream(path)];
    const reading = new ReadParts();
    const refuse = () => invalid('file', 'The file takes too much memory or time to read.');
    const job = { module, task: 'platformFile', input, files, limits, refuse };
    await readForeign(ctx, job, (part) => reading.add(part as PlatformFilePart));
    return reading.result();
  } finally {
    await rm(path, { force: true });
  }
}

function takeShare({ principal }: Context): Disposable {
  if (principal.kind !== 'user') return { [Symbol.dispose]() {} };
  const { userId } = principal;
  const count = receiving.get(userId) ?? 0;
  if (count >= mostPerUser) {
    throw new DomainError('rate_limited', sayRefusal('attempts_minute'), { retryAfterSeconds: 60 });
  }
  receiving.set(userId, count + 1);
  return {
    [Symbol.dispose]() {
      const left = (receiving.get(userId) ?? 1) - 1;
      if (left > 0) receiving.set(userId, left);
      else receiving.delete(userId);
    },
  };
}

async function receive(
  { blobs }: Context,
  file: AsyncIterable<Uint8Array>,
  path: string,
): Promise<void> {
  using reserved = await blobs.room.reserve();
  await using stored = await open(path, 'wx', 0o600);
  let bytes = 0;
  for await (const chunk of file) {
    bytes += chunk.byteLength;
    if (bytes > maxCsvBytes) throw invalid('file', sayRefusal('file_too_large', { size: '32 MB' }));
    await reserved.take(chunk.byteLength);
    await stored.write(chunk);
  }
}

class ReadParts {
  #file: Omit<PlatformFile, 'shows'> | undefined;
  readonly #shows: (Omit<PlatformShow, 'entries'> & { readonly entries: PlatformEntry[] })[] = [];

  add(part: PlatformFilePart): void {
    if ('file' in part) this.#file = part.file;
    else if ('show' in part) this.#shows.push({ ...part.show, entries: [] });
    else this.#shows.at(-1)?.entries.push(...part.entries);
  }

  result(): PlatformFile {
    if (this.#file === undefined) throw new Error('the facts of the file are missing');
    return { ...this.#file, shows: this.#shows };
  }
}
