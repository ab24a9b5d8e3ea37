import { createHash, hash } from 'node:crypto';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import { describeBytes } from '../../../lib/describe-bytes.ts';
import { lineBatches } from '../../../lib/line-batches.ts';
import { RowDigest } from '../../../lib/row-digest.ts';
import type { RowLine } from '../../../platform/database/table-rows.ts';
import { BackupRefusedError, DamagedBackupError } from './backup-errors.ts';
import type { Part } from './manifest.ts';

const zip = promisify(gzip);
/** Lines are collected until they have this many bytes, then they are a part. */
const partBytes = 4 * 1024 * 1024;
/** docs/backups.md names it. Our longest row is far shorter: the report of an import. */
const longestLineBytes = 64_000_000;
/** A part ends with the line that exceeds `partBytes`. */
const longestPartBytes = partBytes + longestLineBytes;

export type StorePart = (sha256: string, zipped: Buffer) => Promise<void>;

/** Writes lines as parts. Call `finish` at the end. */
export class PartWriter {
  readonly #store: StorePart;
  readonly #of: string;
  readonly #parts: Part[] = [];
  readonly #digest = new RowDigest();
  #lines: RowLine[] = [];
  #bytes = 0;
  #rows = 0;

  /** `of`: what the rows are, such as the name of their table. */
  constructor(store: StorePart, of: string) {
    this.#store = store;
    this.#of = of;
  }

  async write(line: RowLine): Promise<void> {
    const bytes = Buffer.byteLength(line) + 1;
    if (bytes > longestLineBytes)
      throw new BackupRefusedError(
        `A row of ${this.#of} has ${describeBytes(bytes)}. A backup takes rows of at most ${describeBytes(longestLineBytes)}.`,
      );
    this.#lines.push(line);
    this.#bytes += bytes;
    this.#rows += 1;
    this.#digest.add(line);
    if (this.#bytes >= partBytes) await this.#end();
  }

  async finish(): Promise<{ rows: number; digest: string; parts: Part[] }> {
    if (this.#lines.length > 0) await this.#end();
    return { rows: this.#rows, digest: this.#digest.toString(), parts: this.#parts };
  }

  async #end(): Promise<void> {
    const rows = this.#lines.length;
    const zipped = await zip(`${this.#lines.join('\n')}\n`);
    this.#lines = [];
    this.#bytes = 0;
    const sha256 = hash('sha256', zipped);
    await this.#store(sha256, zipped);
    this.#parts.push({ sha256, bytes: zipped.length, rows });
  }
}

/**
 * Reads the lines of a part in batches. Throws DamagedBackupError if its bytes are not those that the
 * manifest names; what was read before then is not to be trusted, either.
 */
export async function* readPart(
  part: Part,
  stored: AsyncIterable<Buffer>,
): AsyncGenerator<readonly RowLine[]> {
  const zipped = await readStored(part, stored);
  const unzip = createGunzip({ chunkSize: 256 * 1024 });
  unzip.end(zipped);
  let rows = 0;
  try {
    for await (const lines of lineBatches(limitBytes(unzip, part), longestLineBytes)) {
      rows += lines.length;
      if (rows > part.rows) break;
      yield lines;
    }
  } catch (error) {
    if (error instanceof DamagedBackupError) throw error;
    const why = error instanceof RangeError ? `: ${error.message}` : '';
    throw new DamagedBackupError(`the content ${part.sha256} cannot be unpacked${why}`, {
      cause: error,
    });
  } finally {
    unzip.destroy();
  }
  if (rows !== part.rows)
    throw new DamagedBackupError(`the content ${part.sha256} has another number of rows`);
}

async function* limitBytes(
  chunks: AsyncIterable<Buffer>,
  { sha256 }: Part,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > longestPartBytes) throw new DamagedBackupError(`the content ${sha256} is too long`);
    yield chunk;
  }
}

/** Of all parts of a table or list, one after the other. */
export async function* readParts(
  parts: readonly Part[],
  open: (sha256: string) => Promise<AsyncIterable<Buffer>>,
): AsyncGenerator<readonly RowLine[]> {
  for (const part of parts) yield* readPart(part, await open(part.sha256));
}

async function readStored(part: Part, stored: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let left = Math.min(part.bytes, longestPartBytes);
  for await (const chunk of stored) {
    left -= chunk.length;
    if (left < 0) break;
    chunks.push(chunk);
  }
  const zipped = Buffer.concat(chunks);
  if (left !== 0 || createHash('sha256').update(zipped).digest('hex') !== part.sha256)
    throw new DamagedBackupError(`the content ${part.sha256} is damaged`);
  return zipped;
}
