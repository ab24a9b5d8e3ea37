import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { discardPartial, passOnPartial } from '../../../platform/outbound-http/download-file.ts';
import type { Context } from '../../foundation/context.ts';
import type { Import } from './import.ts';
import { selectIdsOfAccount, selectRunningFeeds } from './imports.sql.ts';

const fileForm = /^audio-([0-9a-f-]{36})-[0-9a-f-]{36,73}$/;
/** Of the note beside a file. */
const noteEnd = /\.json$/;

/** An import and the feed that it has stored. */
export type FetchingImport = Pick<Import, 'id' | 'documents'>;

/**
 * Where an import fetches an episode's audio to. The file stays while the import is paused, for the next
 * run to continue it. When the import ends, it is deleted: it may have 2 GB. It is not storage of the account,
 * but what its imports fetch must fit beside it.
 *
 * It has the name of the stored feed, too, which is another one when a cancelled import is restarted: the
 * cancelled run may still be writing when the new one begins.
 */
export function partialAudioPath(
  { blobs }: Context,
  importing: FetchingImport,
  episodeId: string,
): string {
  return join(blobs.scratchDir, `${beginningOf(importing)}${episodeId}`);
}

function beginningOf({ id, documents }: FetchingImport): string {
  const [first] = documents;
  return `audio-${id}-${first === undefined ? 'none' : basename(first.key, '.xml')}-`;
}

/**
 * For an import that has ended, or of which no record is left: then of all its runs. Never rejects: what
 * stays is swept.
 */
export async function discardPartialAudio(
  ctx: Context,
  ended: FetchingImport | Pick<FetchingImport, 'id'>,
): Promise<void> {
  const beginning = 'documents' in ended ? beginningOf(ended) : `audio-${ended.id}-`;
  await forEachPartial(ctx, beginning, (path) => discardPartial(path));
}

/**
 * For an import that is ended by a later one of the same show, which continues its files. Never rejects:
 * what stays is fetched again, and swept.
 */
export async function passOnPartialAudio(
  ctx: Context,
  from: FetchingImport,
  to: FetchingImport,
): Promise<void> {
  const beginning = beginningOf(from);
  await forEachPartial(ctx, beginning, (path) =>
    passOnPartial(path, partialAudioPath(ctx, to, basename(path).slice(beginning.length))),
  );
}

async function forEachPartial(
  ctx: Context,
  beginning: string,
  act: (path: string) => Promise<void>,
): Promise<void> {
  try {
    for (const { path } of await listPartialAudio(ctx)) {
      if (basename(path).startsWith(beginning)) await act(path);
    }
  } catch (err) {
    ctx.log.warn(
      { err, beginning },
      'the partly fetched audio of an ended import is left to the sweep',
    );
  }
}

/**
 * Deletes those of imports that do not run anymore: the show or the owner of a paused one is deleted, or
 * the process of a cancelled one was killed.
 */
export async function sweepPartialAudio(ctx: Context): Promise<void> {
  const found = await listPartialAudio(ctx);
  if (found.length === 0) return;
  const importIds = [...new Set(found.map(({ importId }) => importId))];
  const running = await selectRunningFeeds(ctx.db, importIds);
  const beginnings = new Map(running.map((one) => [one.id, beginningOf(one)]));
  for (const { importId, path } of found) {
    const beginning = beginnings.get(importId);
    const isNeeded = beginning !== undefined && basename(path).startsWith(beginning);
    if (!isNeeded) await discardPartial(path);
  }
}

/** The sizes of the partial files of an account's imports on this machine, by their paths. */
export async function measurePartialAudio(
  ctx: Context,
  accountId: string,
): Promise<ReadonlyMap<string, number>> {
  const found = await listPartialAudio(ctx);
  const importIds = [...new Set(found.map(({ importId }) => importId))];
  const own = new Set(await selectIdsOfAccount(ctx.db, accountId, importIds));
  const sizes = new Map<string, number>();
  for (const { importId, path } of found) {
    if (!own.has(importId)) continue;
    // It may have become audio since.
    sizes.set(path, (await stat(path).catch(() => undefined))?.size ?? 0);
  }
  return sizes;
}

interface PartialAudio {
  readonly importId: string;
  readonly path: string;
}

async function listPartialAudio({ blobs }: Context): Promise<PartialAudio[]> {
  const names = await readdir(blobs.scratchDir);
  const files = new Set(names.map((name) => name.replace(noteEnd, '')));
  return [...files].flatMap((name) => {
    const importId = fileForm.exec(name)?.[1];
    return importId === undefined ? [] : [{ importId, path: join(blobs.scratchDir, name) }];
  });
}
