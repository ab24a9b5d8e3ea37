import type { Context } from '../../foundation/context.ts';
import { findImageBySource } from '../../publishing/images/index.ts';
import type { Podcast } from '../../publishing/podcasts/index.ts';
import {
  findPublishedLanguage,
  findPublishedTranscript,
} from '../../publishing/transcripts/index.ts';
import {
  describeAddress,
  describeOwnChapters,
  describeOwnTranscript,
  describePicture,
  describeSourceTranscript,
} from './describe-parts.ts';
import type { ParsedPodcast } from './feed/parsed-feed.ts';
import { groupTranscripts, type TranscriptGroup } from './group-transcripts.ts';
import { withoutRemoved } from './import-show.ts';
import { furtherField } from './import-transcripts.ts';
import {
  isChangedHere,
  isPrintChangedHere,
  type KeptValue,
  type MergeRules,
} from './imported-values.ts';
import type { KnownItem } from './known-items.sql.ts';
import { mapPeople } from './map-credit.ts';
import type { MatchedItem } from './match-items.ts';
import { describeChapters } from './plan-item.ts';
import { printTranscript } from './print-transcript.ts';
import type { ReportDraft } from './report-draft.ts';

/**
 * For a dry run: the parts of the show that an import would leave as changed here. Fetches nothing,
 * so a source that now equals the value here counts as a conflict.
 */
export async function reportKeptShow(
  ctx: Context,
  report: ReportDraft,
  podcast: Podcast,
  { channel, rules }: { readonly channel: ParsedPodcast; readonly rules: MergeRules },
): Promise<void> {
  const about = { ctx, podcastId: podcast.id, showRules: rules, report };
  await withoutRemoved(about, mapPeople(channel.people));
  report.keep(await keptPicture(ctx, podcast.id, channel.imageUrl, podcast.artworkId, rules));
}

/** The same for an episode: images, chapters and transcripts that the feed links to. */
export async function findKeptParts(
  ctx: Context,
  known: KnownItem,
  { item }: MatchedItem,
  show: { readonly podcast: Podcast; readonly overwrite: boolean },
): Promise<KeptValue[]> {
  const { podcast, overwrite } = show;
  const rules = { imported: known.imported, overwrite };
  const kept = await keptPicture(ctx, podcast.id, item.imageUrl, known.artworkId, rules);
  const chapters = known.chapters ?? [];
  if (item.chapters !== undefined && isChangedHere(rules, 'chapters', describeChapters(chapters))) {
    const source = describeAddress(item.chapters.url);
    kept.push({ field: 'chapters', here: describeOwnChapters(chapters), source });
  }
  const { groups } = groupTranscripts(item.transcripts, podcast.language);
  const [first, ...further] = groups;
  if (first === undefined || overwrite) return kept;
  const published = await findPublishedLanguage(ctx, known.episodeId);
  if (known.hasTranscript && published === undefined) return kept;
  const keep = async (field: string, group: TranscriptGroup, language?: string) => {
    const here = await findPublishedTranscript(ctx, known.episodeId, language);
    if (!isPrintChangedHere(rules, field, await printTranscript(here))) return;
    const [{ url } = { url: '' }] = group.links;
    const source = describeSourceTranscript(group.language, url);
    kept.push({ field, here: describeOwnTranscript(here), source });
  };
  await keep('transcript', first);
  if (published === undefined) return kept;
  for (const group of further) {
    const { language } = group;
    if (language.toLowerCase() === published.toLowerCase()) continue;
    await keep(furtherField(language), group, language);
  }
  return kept;
}

async function keptPicture(
  ctx: Context,
  podcastId: string,
  url: string | undefined,
  here: string | null,
  rules: MergeRules,
): Promise<KeptValue[]> {
  if (url === undefined || !isChangedHere(rules, 'artwork', here)) return [];
  const source = await findImageBySource(ctx, podcastId, url);
  if (source === here) return [];
  const words = { here: await describePicture(ctx, here), source: describeAddress(url) };
  return [{ field: 'artwork', ...words }];
}
