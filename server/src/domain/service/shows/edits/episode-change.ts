import Type, { type Static } from 'typebox';
import { parseMoment } from '../../../../lib/time.ts';
import type { Context } from '../../../foundation/context.ts';
import type { ErrorDetail } from '../../../foundation/errors.ts';
import { storeAndCommit } from '../../../foundation/store-and-commit.ts';
import { takeFileChapters } from '../../../publishing/audio/index.ts';
import {
  archiveEpisode,
  checkEpisode,
  type Episode,
  getEpisode,
  publishEpisode,
  scheduleEpisode,
  unpublishEpisode,
  updateEpisode,
} from '../../../publishing/episodes/index.ts';
import { type Credit, listKnownPeople, setCredits } from '../../../publishing/people/index.ts';
import type { LeftOut } from '../../../publishing/transcripts/index.ts';
import { episodeElementSchemas } from './edited-elements.ts';
import { episodeSchemas, readEpisodeFields } from './edited-fields.ts';
import { attachFiles, fileFields, listLeftOut, readEpisodeFiles } from './episode-files.ts';
import type { SeedFolder } from './named-files.ts';
import { type ReadValues, refuseChange, type TypedValues, valueReader } from './read-values.ts';
import { entry, list, NullableMoment, oneOf, Text } from './schema-parts.ts';

/** The changeable fields of an episode, under the names of seed files. */
const properties = {
  ...episodeSchemas,
  ...episodeElementSchemas,
  ...fileFields,
  people: list(Text),
  status: Type.Optional(oneOf(['draft', 'scheduled', 'published', 'archived'])),
  published_at: Type.Optional(NullableMoment),
  scheduled_for: Type.Optional(NullableMoment),
};
const EpisodeChange = entry(properties);
export type EpisodeChange = Static<typeof EpisodeChange>;

export const episodeChangeFields: readonly string[] = Object.keys(properties);
const readValues = valueReader<EpisodeChange>(properties);

/** A time alone implies its status. */
export async function readEpisodeChange(
  typed: TypedValues,
  folder: SeedFolder,
): Promise<ReadValues<EpisodeChange>> {
  const { change, problems } = await readValues(typed, folder);
  const wrong = new Set(problems.map(({ field }) => field));
  const { published_at, scheduled_for } = change;
  const meant =
    published_at != null ? 'published' : scheduled_for != null ? 'scheduled' : undefined;
  const { status = meant } = change;
  if (['status', 'published_at', 'scheduled_for'].some((field) => wrong.has(field))) {
    return { change, problems };
  }
  return {
    change: status === undefined ? change : { ...change, status },
    problems: [...problems, ...checkTimes(status, change)],
  };
}

function checkTimes(
  status: EpisodeChange['status'],
  { published_at, scheduled_for }: EpisodeChange,
): ErrorDetail[] {
  if (status === 'scheduled' && scheduled_for == null) {
    return [{ field: 'status', message: 'A scheduled episode also needs scheduled_for.' }];
  }
  const isStrange =
    (published_at != null && status !== 'published') ||
    (scheduled_for != null && status !== 'scheduled');
  const message =
    'Use published_at with status=published, and scheduled_for with status=scheduled.';
  return isStrange ? [{ field: 'status', message }] : [];
}

/** Checks values that need no database. */
export function checkEpisodeChange(change: EpisodeChange, now: Date): ErrorDetail[] {
  const problems = checkEpisode(readEpisodeFields(change));
  if (change.published_at != null && parseMoment(change.published_at, now) > now) {
    const message = 'This is in the future. Schedule the episode instead.';
    problems.push({ field: 'published_at', message });
  }
  return problems;
}

/**
 * Changes an episode, all or nothing. Throws a DomainError with all problems. Paths are relative to
 * `folder`. `people` are ids or names of the podcast's people; an empty list gives the episode all
 * people of the show. New audio brings the chapters in its tags if the episode has none.
 */
export async function changeEpisode(
  ctx: Context,
  episodeId: string,
  change: EpisodeChange,
  folder: SeedFolder,
  onLeftOut: (field: string, leftOut: LeftOut) => void = () => undefined,
): Promise<Episode> {
  const { podcastId } = await getEpisode(ctx, episodeId);
  await storeAndCommit(
    ctx,
    async (storing) => {
      const people = await findPeople(ctx, podcastId, change.people);
      const files = await readEpisodeFiles(storing, podcastId, change, folder);
      const problems = [
        ...checkEpisodeChange(change, ctx.clock.now()),
        ...people.problems,
        ...files.problems,
      ];
      if (problems.length > 0) throw refuseChange('episode', problems);
      for (const [field, leftOut] of listLeftOut(files)) onLeftOut(field, leftOut);
      return { credits: people.credits, files };
    },
    async (tx, { credits, files }) => {
      const fields = readEpisodeFields(change);
      if (Object.keys(fields).length > 0) await updateEpisode(tx, episodeId, fields);
      await attachFiles(tx, episodeId, change, files);
      if (credits !== undefined) await setCredits(tx, episodeId, credits);
      await changePublication(tx, episodeId, change);
    },
  );
  if (change.audio != null && change.chapters === undefined) {
    await takeFileChapters(ctx, episodeId);
  }
  return await getEpisode(ctx, episodeId);
}

async function changePublication(
  tx: Context,
  episodeId: string,
  { status, published_at, scheduled_for }: EpisodeChange,
): Promise<void> {
  const now = tx.clock.now();
  if (status === 'published') {
    const publishedAt = published_at == null ? undefined : parseMoment(published_at, now);
    await publishEpisode(tx, episodeId, { publishedAt });
  }
  if (status === 'draft') await unpublishEpisode(tx, episodeId);
  if (status === 'archived') await archiveEpisode(tx, episodeId);
  if (status === 'scheduled' && scheduled_for != null) {
    await scheduleEpisode(tx, episodeId, parseMoment(scheduled_for, now));
  }
}

interface FoundPeople {
  /** undefined: not changed. */
  readonly credits: readonly Credit[] | undefined;
  readonly problems: readonly ErrorDetail[];
}

/** Finds people of a podcast by id or name, ignoring case. */
async function findPeople(
  ctx: Context,
  podcastId: string,
  refs: readonly string[] | undefined,
): Promise<FoundPeople> {
  if (refs === undefined) return { credits: undefined, problems: [] };
  const byRef = new Map<string, string[]>();
  for (const { id, name } of await listKnownPeople(ctx, podcastId)) {
    const key = name.toLowerCase();
    byRef.set(key, [...(byRef.get(key) ?? []).slice(0, 1), id]);
    byRef.set(id, [id]);
  }
  const credits: Credit[] = [];
  const problems: ErrorDetail[] = [];
  for (const [index, ref] of refs.entries()) {
    const [personId, another] = byRef.get(ref.toLowerCase()) ?? [];
    const field = `people[${index}]`;
    if (personId === undefined) {
      problems.push({ field, message: `The podcast has no person ${JSON.stringify(ref)}.` });
    } else if (another !== undefined) {
      problems.push({ field, message: `Several people are called ${ref}. Use an id.` });
    } else {
      credits.push({ personId });
    }
  }
  return { credits, problems };
}
