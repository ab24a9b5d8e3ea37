import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tryParseJson } from '../../lib/parse-json.ts';

/** The note beside a partial download, in `path + '.json'`. */
export interface PartialNote {
  /** The requested URL, before redirects. */
  readonly url: string;
  /** Strong ETag or Last-Modified, with which the server can resume the same file. */
  readonly validator: string;
  readonly contentType: string | null;
  readonly totalBytes: number | null;
}

/**
 * The note of a download of `url` that can be resumed, and its present size. Undefined if there is
 * none that can be trusted.
 */
export async function findPartial(
  path: string,
  url: string,
): Promise<(PartialNote & { sizeBytes: number }) | undefined> {
  const note = tryParseNote(await readFile(notePath(path), 'utf8').catch(emptyWhenMissing));
  if (note?.url !== url) return undefined;
  const sizeBytes = await stat(path).then(({ size }) => size, zeroWhenMissing);
  if (sizeBytes === 0 || sizeBytes > (note.totalBytes ?? sizeBytes)) return undefined;
  return { ...note, sizeBytes };
}

/**
 * Starts over. Removes the old note first and writes the new one last: if it is killed in between,
 * a file without a note, or with half of one, remains. Neither is resumed.
 */
export async function beginPartial(path: string, note: PartialNote | undefined): Promise<void> {
  await purgePartial(path);
  await (await open(path, 'w', 0o600)).close();
  if (note === undefined) return;
  await writeFile(notePath(path), JSON.stringify(note), { mode: 0o600 });
}

/** The download is complete or cannot be resumed; removes the note and keeps the bytes. */
export async function purgePartial(path: string): Promise<void> {
  await rm(notePath(path), { force: true });
}

export async function discardPartial(path: string): Promise<void> {
  await purgePartial(path);
  await rm(path, { force: true });
}

/** Moves a partial file and its note, if they exist. The note last: without one, a file is not resumed. */
export async function passOnPartial(from: string, to: string): Promise<void> {
  await discardPartial(to);
  await rename(from, to).catch(emptyWhenMissing);
  await rename(notePath(from), notePath(to)).catch(emptyWhenMissing);
}

function notePath(path: string): string {
  return `${path}.json`;
}

function isNote(value: unknown): value is PartialNote {
  if (typeof value !== 'object' || value === null) return false;
  const { url, validator, contentType, totalBytes } = value as Record<string, unknown>;
  return (
    typeof url === 'string' &&
    typeof validator === 'string' &&
    (contentType === null || typeof contentType === 'string') &&
    (totalBytes === null || (Number.isInteger(totalBytes) && Number(totalBytes) >= 0))
  );
}

function tryParseNote(text: string): PartialNote | undefined {
  const note = tryParseJson(text);
  return isNote(note) ? note : undefined;
}

function emptyWhenMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}

function zeroWhenMissing(error: NodeJS.ErrnoException): number {
  if (error.code === 'ENOENT') return 0;
  throw error;
}
