import type { Context } from '../context.ts';
import { type Podcast, updatePodcast } from '../podcasts/index.ts';
import { findPerson } from './apply-item.ts';
import { guidBySlug } from './choose-podcast.ts';
import { compareFields } from './compare-fields.ts';
import type { ParsedPerson, ParsedPodcast } from './feed/parsed-feed.ts';
import type { FieldDifference, ReportedPodcast } from './import-report.ts';
import { explainFailure, type ImportRun } from './import-run.ts';
import { type ImportedPodcastFields, toPodcastFields } from './podcast-fields.ts';

/** What the feed says of the show that the podcast does not say yet. */
export function compareShow(
  podcast: Podcast,
  channel: ParsedPodcast,
): { readonly changed: ImportedPodcastFields; readonly differences: FieldDifference[] } {
  return compareFields<ImportedPodcastFields>(podcast, toPodcastFields(channel));
}

export interface ImportedShow {
  readonly differences: readonly FieldDifference[];
  /** Of the roster, for whom a photo is still to be found. */
  readonly withoutPhoto: readonly ParsedPerson[];
}

/** Brings the show itself up to date: its fields, and who makes it. */
export async function importShow(
  run: ImportRun,
  podcast: Podcast,
  channel: ParsedPodcast,
): Promise<ImportedShow> {
  const { changed, differences } = compareShow(podcast, channel);
  const withoutPhoto: ParsedPerson[] = [];
  try {
    if (differences.length > 0) await updatePodcast(run.ctx, podcast.id, changed);
    for (const named of channel.people) {
      const person = await findPerson(run.ctx, podcast.id, named, { roster: true });
      if (person.photoId === null) withoutPhoto.push(named);
    }
  } catch (error) {
    run.report.warn(await explainFailure(run, error));
  }
  return { differences, withoutPhoto };
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

/** For a podcast that a dry run does not make. */
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

/** With what a podcast cannot do without. */
export function newPodcastFields(channel: ParsedPodcast): ImportedPodcastFields & {
  readonly title: string;
} {
  const fields = toPodcastFields(channel);
  return { ...fields, title: fields.title ?? 'Untitled podcast' };
}
