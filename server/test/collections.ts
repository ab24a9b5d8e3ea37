import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Inputs of tests that were written for them, with a folder for each kind. */
export const ownCases = join(import.meta.dirname, 'cases');

/** Larger collections of other people's files, which are not part of the repository. */
const folder = process.env['TEST_COLLECTIONS'] || join(import.meta.dirname, '../../../shared');

/** `cases`: transcripts and chapters that somebody reported. */
const collections = ['agents', 'cases', 'feeds', 'transcripts', 'urls'] as const;
type Collection = (typeof collections)[number];

/** The folder of a collection; undefined if this machine does not have it. */
export function findCollection(name: Collection): string | undefined {
  const path = join(folder, name);
  return existsSync(path) ? path : undefined;
}

/** Which collections this machine does not have, as a sentence; undefined if it has all. */
export function describeMissingCollections(): string | undefined {
  const missing = collections.filter((name) => findCollection(name) === undefined);
  if (missing.length === 0) return undefined;
  const place = relative(process.cwd(), folder);
  return `tests use only their own files: ${place} does not contain ${missing.join(', ')}`;
}
