import { dirname } from 'node:path';
import { parseJson } from '../../../lib/parse-json.ts';
import type { Geo } from '../../../platform/geo/geo.ts';
import type { Context } from '../../foundation/context.ts';
import { DomainError, type ErrorDetail } from '../../foundation/errors.ts';
import { storeAndCommit } from '../../foundation/store-and-commit.ts';
import type { StoredAudio } from '../../publishing/audio/index.ts';
import {
  readBounded,
  type SeedFolder,
  storeAudio,
  tryExplainFile,
  tryField,
} from '../shows/edits/index.ts';
import { checkFiles } from './check-files.ts';
import { parseSeedFile, refuseSeedFile } from './check-seed-file.ts';
import { type MadeEntries, makeEntries } from './make-entries.ts';
import type { Loading } from './read-entries.ts';
import type { SeedFile } from './schema.ts';

const maxSeedFileBytes = 64 * 1024 * 1024;

/**
 * Makes everything in a seed file as the operator (SEED-3). All or nothing (SEED-2): a
 * refused file leaves neither rows nor files behind. Throws a DomainError with all problems that
 * can be found at once, each with its path.
 */
export async function loadSeedFile(
  ctx: Context,
  geo: Geo,
  file: { readonly path: string; readonly signal?: AbortSignal },
): Promise<MadeEntries> {
  const { signal } = file;
  const loading: Loading = { now: ctx.clock.now(), redirects: ctx.installation.redirectTable };
  const seedFile = parseSeedFile(await readSeedFile(file.path), loading);
  const folder: SeedFolder = { path: dirname(file.path) };
  const problems = await checkFiles(ctx, seedFile, folder, signal);
  if (problems.length > 0) throw refuseSeedFile(problems);
  return storeAndCommit(
    ctx,
    (storing) => storeAllAudio(storing, seedFile, folder, signal),
    (tx, audio) => makeEntries(tx, geo, seedFile, { ...loading, folder, audio, signal }),
  );
}

async function readSeedFile(path: string): Promise<unknown> {
  let text: string;
  try {
    text = (await readBounded(path, maxSeedFileBytes)).toString('utf8');
  } catch (error) {
    const message = tryExplainFile(error);
    throw message === undefined ? error : new DomainError('invalid', message, { cause: error });
  }
  try {
    return parseJson(text.replace(/^\uFEFF/, ''));
  } catch (cause) {
    // The quoted part of the file may span lines.
    const reason = (cause as Error).message.replace(/\s+/g, ' ');
    throw new DomainError('invalid', `${path} is not valid JSON: ${reason}`, { cause });
  }
}

/** Audio by the path of its episode. All audio is stored before the transaction begins. */
async function storeAllAudio(
  ctx: Context,
  seedFile: SeedFile,
  folder: SeedFolder,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, StoredAudio>> {
  const stored = new Map<string, StoredAudio>();
  const problems: ErrorDetail[] = [];
  for (const [index, { episodes = [] }] of (seedFile.podcasts ?? []).entries()) {
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
  if (problems.length > 0) throw refuseSeedFile(problems);
  return stored;
}
