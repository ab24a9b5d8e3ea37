import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { DatabaseLog } from '../database-log.ts';
import { EmbeddedEngine } from './embedded-engine.ts';
import { type DataFile, packImage, unpackImage } from './image-format.ts';

/** The best compression; it takes seconds but runs once. */
const COMPRESSION_LEVEL = 19;

/** The image of this PGlite's initdb, stored beside this file. */
export async function initdbImageFile(): Promise<URL> {
  return new URL(`./initdb-${await readPgliteVersion()}.image`, import.meta.url);
}

/**
 * A packed new database. initdb takes 600 MB for some seconds, so its result is in the repository;
 * it only runs for another version of PGlite.
 */
export async function loadInitdbImage(log: DatabaseLog): Promise<Uint8Array> {
  return (await readInitdbImage()) ?? (await makeInitdbImage(log));
}

/** undefined: there is none for the installed PGlite. */
export async function readInitdbImage(): Promise<Uint8Array | undefined> {
  return await readFile(await initdbImageFile()).catch(() => undefined);
}

export async function makeInitdbImage(log: DatabaseLog): Promise<Uint8Array<ArrayBuffer>> {
  return packImage(await runInitdb(log), COMPRESSION_LEVEL);
}

export async function runInitdb(log: DatabaseLog): Promise<readonly DataFile[]> {
  await using engine = new EmbeddedEngine({ filesDir: undefined, image: undefined }, log);
  return unpackImage(await engine.dump());
}

/** The version of the installed PGlite. */
export async function readPgliteVersion(): Promise<string> {
  const main = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const text = await readFile(join(main, '../../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
