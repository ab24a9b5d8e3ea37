import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

const schema = Type.Object({
  /** The address asked for, not where it led. */
  url: Type.String(),
  /** Strong ETag or Last-Modified: what a server needs to go on with the same bytes. */
  validator: Type.String(),
  contentType: Type.Union([Type.String(), Type.Null()]),
  totalBytes: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]),
});

/** What is kept beside a half-made download, in `path + '.json'`. */
export type PartialNote = Type.Static<typeof schema>;

/**
 * The note of a download of `url` that may be gone on with, and how much of it there is. Undefined
 * when there is none, or none that can be trusted.
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
 * Begins from nothing. The old note goes first and the new one comes last: killed in between, there
 * is a file without a note, which nobody goes on with.
 */
export async function beginPartial(path: string, note: PartialNote | undefined): Promise<void> {
  await forgetPartial(path);
  await (await open(path, 'w', 0o600)).close();
  if (note === undefined) return;
  await writeFile(`${notePath(path)}.new`, JSON.stringify(note), { mode: 0o600 });
  await rename(`${notePath(path)}.new`, notePath(path));
}

/** The download is whole, or no longer to be gone on with; its bytes stay. */
export async function forgetPartial(path: string): Promise<void> {
  await rm(notePath(path), { force: true });
}

export async function discardPartial(path: string): Promise<void> {
  await forgetPartial(path);
  await rm(path, { force: true });
}

function notePath(path: string): string {
  return `${path}.json`;
}

function tryParseNote(text: string): PartialNote | undefined {
  try {
    const note: unknown = JSON.parse(text);
    return Value.Check(schema, note) ? note : undefined;
  } catch {
    return undefined;
  }
}

function emptyWhenMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}

function zeroWhenMissing(error: NodeJS.ErrnoException): number {
  if (error.code === 'ENOENT') return 0;
  throw error;
}
