import { tryNormalizeLink } from '../../../lib/html/link.ts';
import { shorten } from '../../../lib/shorten.ts';
import { findYear, startOfYear } from '../../../lib/years.ts';
import type { Context } from '../../foundation/context.ts';
import {
  type ExtraElement,
  readElements,
  unexpiredElements,
} from '../../publishing/podcasts/index.ts';
import { selectEpisodeRange } from './episode-for-page.sql.ts';
import { countEpisodes } from './find-public-podcast.ts';
import type { BriefEpisode, PublicPodcast } from './public-podcast.ts';
import { countBetween, countBySeason, type SeasonCount } from './public-podcasts.sql.ts';

/** Where the episodes of a show are. Numbers are of what is public. */
export interface ShowOutline {
  readonly episodeCount: number;
  /** The newest first. */
  readonly seasons: readonly SeasonCount[];
  /** The newest first, in the show's time zone. */
  readonly years: readonly { readonly year: number; readonly count: number }[];
  /** The newest with audio. */
  readonly trailer: BriefEpisode | null;
  /** Only if no episode is one. */
  readonly trailerElsewhere: TrailerElsewhere | null;
}

/** Audio that is on another server, as the feed says (`podcast:trailer`). */
export interface TrailerElsewhere {
  readonly title: string;
  /** HTTPS, which pages may load. */
  readonly url: string;
}

/** Links that a page offers. The rest of the list is reached by its pages. */
const mostSeasons = 200;
const mostYears = 100;
const trailerChars = 128;

/** By what was read of a show, which a change or a publication replaces. */
const outlines = new WeakMap<PublicPodcast, ShowOutline>();

/** Counted once for all pages. */
export async function outlineShow(ctx: Context, show: PublicPodcast): Promise<ShowOutline> {
  const known = outlines.get(show);
  if (known !== undefined) return known;
  const now = ctx.clock.now();
  const episodeCount = await countEpisodes(ctx, show);
  const seasons = await countBySeason(ctx.db, show.id, { now, limit: mostSeasons });
  const { trailer, trailerElements, ...range } = await selectEpisodeRange(ctx.db, show.id, now);
  const years = await countByYear(ctx, show, range, now);
  const trailerElsewhere = trailer === null ? findTrailer(trailerElements, now) : null;
  const outline = { episodeCount, seasons, years, trailer, trailerElsewhere };
  outlines.set(show, outline);
  return outline;
}

/** The newest that is out and is audio. Anything may be in an imported feed. */
function findTrailer(elements: readonly ExtraElement[], now: Date): TrailerElsewhere | null {
  const { trailer: entries = [] } = readElements('show', unexpiredElements(elements, now));
  const found = entries.flatMap(({ text, url, pubdate, type }) => {
    const publishedMs = Date.parse(String(pubdate));
    const link = tryNormalizeLink(String(url), ['https:']);
    const isAudio = type === undefined || /^audio\//i.test(String(type));
    if (link === undefined || !isAudio || !(publishedMs <= now.getTime())) return [];
    return [{ title: shorten(String(text ?? ''), trailerChars), url: link, publishedMs }];
  });
  const [newest] = found.toSorted((one, other) => other.publishedMs - one.publishedMs);
  return newest ? { title: newest.title, url: newest.url } : null;
}

async function countByYear(
  { db }: Context,
  { id, timezone }: PublicPodcast,
  { first, last }: { readonly first: Date | null; readonly last: Date | null },
  now: Date,
): Promise<ShowOutline['years']> {
  if (first === null || last === null) return [];
  const newest = findYear(last, timezone);
  const oldest = Math.max(findYear(first, timezone), newest - mostYears + 1);
  const years = Array.from({ length: newest - oldest + 1 }, (_, index) => oldest + index);
  const moments = years.map((year) => startOfYear(year, timezone));
  const counts = await countBetween(db, id, moments, now);
  return counts.map(({ index, count }) => ({ year: oldest + index, count }));
}
