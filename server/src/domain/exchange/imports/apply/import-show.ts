import { type Context, transact } from '../../../foundation/context.ts';
import { type Podcast, updatePodcast } from '../../../publishing/podcasts/index.ts';
import { explainFailure, type ImportRun } from '../import-run.ts';
import { guidBySlug } from '../match/choose-podcast.ts';
import { mergeImported, selectRosterNames } from '../match/known-identities.sql.ts';
import { compareFields, type FieldComparison } from '../plan/compare-fields.ts';
import {
  hashValue,
  hashValues,
  type ImportedValues,
  type MergeRules,
} from '../plan/imported-values.ts';
import { mapPeople } from '../plan/map-credit.ts';
import { type ImportedPodcastFields, toPodcastFields } from '../plan/podcast-fields.ts';
import type { ParsedPerson, ParsedPodcast } from '../read/feed/parsed-feed.ts';
import type { FieldDifference, ReportedPodcast } from '../report/import-report.ts';
import { importPeople } from './apply-item.ts';

/** The differences between the feed's show and the podcast. */
export function compareWithChannel(
  podcast: Podcast,
  channel: ParsedPodcast,
  rules: MergeRules,
): FieldComparison<ImportedPodcastFields> {
  return compareFields<ImportedPodcastFields>(podcast, toPodcastFields(channel), rules);
}

export interface ImportedShow {
  readonly differences: readonly FieldDifference[];
  /** People of the show who still need a photo. */
  readonly withoutPhoto: readonly ParsedPerson[];
}

/** Updates the show itself: its fields and its people. */
export async function importShow(
  run: ImportRun,
  podcast: Podcast,
  channel: ParsedPodcast,
): Promise<ImportedShow> {
  const { changed, differences, kept } = compareWithChannel(podcast, channel, run.showRules);
  run.report.keep(kept);
  const withoutPhoto: ParsedPerson[] = [];
  try {
    await transact(run.ctx, async (tx) => {
      if (differences.length > 0) await updatePodcast(tx, podcast.id, changed);
      await recordImportedValues(tx, run, hashValues(toPodcastFields(channel)));
    });
    const people = await withoutRemoved(run, mapPeople(channel.people));
    await transact(run.ctx, async (tx) => {
      const found = await importPeople(tx, podcast.id, people, {
        roster: true,
        people: run.people,
      });
      const known = people.filter((_, at) => found[at] !== undefined);
      const values = known.map((named) => [rosterKey(named), hashValue(true)]);
      await recordImportedValues(tx, run, Object.fromEntries(values));
      withoutPhoto.push(...people.filter((_, at) => found[at]?.photoId === null));
    });
  } catch (error) {
    run.report.warn(await explainFailure(run, error));
  }
  return { differences, withoutPhoto };
}

/** Without people whom an earlier import added and who were renamed or removed here. */
export async function withoutRemoved(
  {
    ctx,
    podcastId,
    showRules,
    report,
  }: Pick<ImportRun, 'ctx' | 'podcastId' | 'showRules' | 'report'>,
  people: readonly ParsedPerson[],
): Promise<ParsedPerson[]> {
  const { imported, overwrite } = showRules;
  const here = await selectRosterNames(ctx.db, podcastId);
  return people.filter((named) => {
    const isRemoved = !here.has(named.name.toLowerCase()) && imported?.[rosterKey(named)];
    if (!isRemoved || overwrite) return true;
    report.keep([{ field: 'people', here: null, source: named.name }]);
    return false;
  });
}

const rosterKey = ({ name }: ParsedPerson): string => `person:${hashValue(name.toLowerCase())}`;

/** Records what was imported, so that a later import can detect changes made here. */
async function recordImportedValues(
  ctx: Context,
  { podcastId, showRules: { imported } }: ImportRun,
  values: ImportedValues,
): Promise<void> {
  const news = Object.entries(values).filter(([field, value]) => imported?.[field] !== value);
  if (news.length === 0) return;
  await mergeImported(ctx.db, 'podcasts', podcastId, Object.fromEntries(news));
}

export function reportPodcast(
  podcast: Podcast,
  isNew: boolean,
  differences: readonly FieldDifference[],
): ReportedPodcast {
  const { id, slug, title, guid } = podcast;
  const outcome = isNew ? 'created' : differences.length > 0 ? 'updated' : 'unchanged';
  return { id, slug, title, guid, outcome, changes: isNew ? [] : differences };
}

/** For a podcast that a dry run does not create. */
export function reportNewPodcast(
  ctx: Context,
  channel: ParsedPodcast,
  choice: { readonly slug: string; readonly guid: string | undefined },
): ReportedPodcast {
  const { title } = newPodcastFields(channel);
  const { slug } = choice;
  const guid = choice.guid ?? guidBySlug(ctx, slug);
  return { id: null, slug, title, guid, outcome: 'created', changes: [] };
}

/** With the fields that a podcast requires. */
export function newPodcastFields(channel: ParsedPodcast): ImportedPodcastFields & {
  readonly title: string;
} {
  const fields = toPodcastFields(channel);
  return { ...fields, title: fields.title ?? 'Untitled podcast' };
}
