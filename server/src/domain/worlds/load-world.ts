import { dirname } from 'node:path';
import type { Context } from '../context.ts';
import { DomainError, type ErrorDetail } from '../errors.ts';
import { type StoredAudio, storeAndCommit } from '../media/index.ts';
import { checkFiles, tryField } from './check-files.ts';
import { parseWorld, refuseWorld } from './check-world.ts';
import { type MadeWorld, makeWorld } from './make-world.ts';
import type { Loading } from './read-entries.ts';
import type { World } from './schema.ts';
import { readBounded, storeAudio, tryExplainFile, type WorldFolder } from './world-files.ts';

const maxWorldBytes = 64 * 1024 * 1024;

export interface LoadedWorld extends MadeWorld {
  /** Lists of the file that this version makes nothing of, and how many entries they have. */
  readonly passedOver: readonly { readonly list: string; readonly entries: number }[];
}

/**
 * Makes what a world file describes (operator.md, "World files"), as the operator. All of it or
 * nothing: a refused file leaves neither rows nor files behind. Throws a DomainError with every
 * problem that can be seen at once, each under its path.
 */
export async function loadWorld(
  ctx: Context,
  file: { readonly path: string; readonly signal?: AbortSignal },
): Promise<LoadedWorld> {
  const { signal } = file;
  const loading: Loading = { now: ctx.clock.now(), redirects: ctx.installation.redirectTable };
  const world = parseWorld(await readWorld(file.path), loading);
  const folder: WorldFolder = { path: dirname(file.path) };
  const problems = await checkFiles(world, folder, signal);
  if (problems.length > 0) throw refuseWorld(problems);
  const made = await storeAndCommit(
    ctx,
    (storing) => storeAllAudio(storing, world, folder, signal),
    (tx, audio) => makeWorld(tx, world, { ...loading, folder, audio, signal }),
  );
  return { ...made, passedOver: listPassedOver(world) };
}

async function readWorld(path: string): Promise<unknown> {
  let text: string;
  try {
    text = (await readBounded(path, maxWorldBytes)).toString('utf8');
  } catch (error) {
    const message = tryExplainFile(error);
    throw message === undefined ? error : new DomainError('invalid', message, { cause: error });
  }
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    // What it quotes of the file may have several lines.
    const reason = (cause as Error).message.replace(/\s+/g, ' ');
    throw new DomainError('invalid', `${path} is no JSON: ${reason}`, { cause });
  }
}

/** By the path of the episode. All of it is put before the first row, outside the transaction. */
async function storeAllAudio(
  ctx: Context,
  world: World,
  folder: WorldFolder,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, StoredAudio>> {
  const stored = new Map<string, StoredAudio>();
  const problems: ErrorDetail[] = [];
  for (const [index, { episodes = [] }] of (world.podcasts ?? []).entries()) {
    for (const [number, { audio }] of episodes.entries()) {
      if (audio == null) continue;
      signal?.throwIfAborted();
      const path = `podcasts[${index}].episodes[${number}]`;
      const problem = await tryField(`${path}.audio`, async () => {
        stored.set(path, await storeAudio(ctx, folder, audio));
      });
      if (problem !== undefined) problems.push(problem);
    }
  }
  if (problems.length > 0) throw refuseWorld(problems);
  return stored;
}

function listPassedOver(world: World): LoadedWorld['passedOver'] {
  return (['sites', 'downloads'] as const)
    .map((list) => ({ list, entries: world[list]?.length ?? 0 }))
    .filter(({ entries }) => entries > 0);
}
