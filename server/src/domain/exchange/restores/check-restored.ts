import { isShortUrl, isWebUrl } from '../../../lib/web-url.ts';
import type { Context } from '../../foundation/context.ts';
import { type ErrorDetail, refuseWrong } from '../../foundation/errors.ts';
import type { WorkOptions } from '../../foundation/work-progress.ts';
import { checkEpisode, selectEpisodeIds } from '../../publishing/episodes/index.ts';
import { checkPerson, readPeople } from '../../publishing/people/index.ts';
import {
  checkPodcast,
  cleanPageText,
  readPodcastSettings,
  refuseOwnFeed,
  sanitizeNotes,
} from '../../publishing/podcasts/index.ts';
import { type ExportedEpisode, selectExportedEpisodes } from '../exports/index.ts';
import { areSegmentsMixed, countSegments, setPageText, setShowNotes } from './restores.sql.ts';
import { damaged } from './show-export.ts';
import type { Survey } from './survey.ts';

const episodesAtOnce = 50;

/**
 * Checks what was restored as if someone had entered it: an export may come from anyone. Show notes that
 * Podstead would not have stored are cleaned. Returns the slugs of their episodes; throws for everything
 * else.
 */
export async function checkRestored(
  ctx: Context,
  podcastId: string,
  { cleanNotes, episodes: total }: Pick<Survey, 'cleanNotes' | 'episodes'>,
  { signal, onProgress }: WorkOptions = {},
): Promise<string[]> {
  const show = await readPodcastSettings(ctx, podcastId);
  refuseWrong(refused('show'), checkPodcast(show));
  await refuseOwnFeed(ctx, podcastId, show);
  const pageText = await cleanPageText(ctx, show.pageText);
  if (pageText !== show.pageText) await setPageText(ctx.db, podcastId, pageText);
  for (const person of await readPeople(ctx, podcastId))
    refuseWrong(refused(`person ${person.name}`), checkPerson(person));
  const cleaned: string[] = [];
  let done = 0;
  for await (const ids of selectEpisodeIds(ctx.db, podcastId, episodesAtOnce)) {
    signal?.throwIfAborted();
    if (await areSegmentsMixed(ctx.db, ids))
      throw damaged('the segments of a transcript are not in their order');
    // An export may say anything, and limits and turns depend on it.
    await countSegments(ctx.db, ids);
    for (const episode of await selectExportedEpisodes(ctx.db, ids)) {
      refuseWrong(refused(`episode ${episode.slug}`), checkOne(episode));
      const { id, slug, showNotesHtml: notes } = episode;
      if (notes === null || cleanNotes.has(notes)) continue;
      if (await sanitizeIn(ctx, id, notes)) cleaned.push(slug);
    }
    done += ids.length;
    onProgress?.({ stage: 'checks', done, total });
  }
  return cleaned;
}

const refused = (what: string) =>
  `The ${what} of the export has values that Podstead does not accept. Nothing was restored.`;

function checkOne(episode: ExportedEpisode): ErrorDetail[] {
  const urls = (episode.chapters ?? []).flatMap(({ imageUrl, linkUrl }) => [imageUrl, linkUrl]);
  const isWrong = urls.some((url) => url !== undefined && !(isWebUrl(url) && isShortUrl(url)));
  const message = 'The chapters have something else than a web address.';
  const { episodeNumber, ...others } = episode;
  // One that nobody gave is the highest plus one, whatever that is.
  const fields = episode.numberGiven ? { ...others, episodeNumber } : others;
  return [...checkEpisode(fields), ...(isWrong ? [{ field: 'chapters', message }] : [])];
}

/** False: they are clean. */
async function sanitizeIn(ctx: Context, episodeId: string, notes: string): Promise<boolean> {
  const clean = await sanitizeNotes(ctx, notes);
  if (clean.showNotesHtml === notes) return false;
  await setShowNotes(ctx.db, episodeId, clean);
  return true;
}
