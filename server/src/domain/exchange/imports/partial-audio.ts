import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { discardPartial, passOnPartial } from '../../../platform/outbound-http/download-file.ts';
import type { Context } from '../../foundation/context.ts';
import { selectIdsOfAccount, selectRunningIds } from './imports.sql.ts';

const fileForm = /^audio-([0-9a-f-]{36})-([0-9a-f-]{36})$/;
/** Of the note beside a file. */
const noteEnd = /\.json$/;

/**
 * Where an import fetches an episode's audio to. The file stays while the import is paused, for the next
 * run to continue it. When the import ends, it is deleted: it may have 2 GB. It is not storage of the account,
 * but what its imports fetch must fit beside it.
 */
export function partialAudioPath({ blobs }: Context, importId: string, episodeId: string): string {
  return join(blobs.scratchDir, `audio-${importId}-${episodeId}`);
}

/** For an import that has ended. Never rejects: what stays is swept. */
export async function discardPartialAudio(ctx: Context, importId: string): Promise<void> {
  await forEachPartial(ctx, importId, (found) => discardPartial(pathOf(ctx, found)));
}

/**
 * For an import that is ended by a later one of the same show, which continues its files. Never rejects:
 * what stays is fetched again, and swept.
 */
export async function passOnPartialAudio(ctx: Context, from: string, to: string): Promise<void> {
  await forEachPartial(ctx, from, (found) =>
    passOnPartial(pathOf(ctx, found), partialAudioPath(ctx, to, found.episodeId)),
  );
}

async function forEachPartial(
  ctx: Context,
  importId: string,
  act: (found: PartialAudio) => Promise<void>,
): Promise<void> {
  try {
    for (const found of await listPartialAudio(ctx)) {
      if (found.importId === importId) await act(found);
    }
  } catch (err) {
    ctx.log.warn(
      { err, importId },
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
  const running = new Set(await selectRunningIds(ctx.db, importIds));
  for (const file of found) {
    if (!running.has(file.importId)) await discardPartial(pathOf(ctx, file));
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
  for (const file of found) {
    if (!own.has(file.importId)) continue;
    const path = pathOf(ctx, file);
    // It may have become audio since.
    sizes.set(path, (await stat(path).catch(() => undefined))?.size ?? 0);
  }
  return sizes;
}

interface PartialAudio {
  readonly importId: string;
  readonly episodeId: string;
}

async function listPartialAudio({ blobs }: Context): Promise<PartialAudio[]> {
  const names = await readdir(blobs.scratchDir);
  const files = new Set(names.map((name) => name.replace(noteEnd, '')));
  return [...files].flatMap((name) => {
    const [, importId, episodeId] = fileForm.exec(name) ?? [];
    return importId === undefined || episodeId === undefined ? [] : [{ importId, episodeId }];
  });
}

const pathOf = (ctx: Context, { importId, episodeId }: PartialAudio): string =>
  partialAudioPath(ctx, importId, episodeId);
