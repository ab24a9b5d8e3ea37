import { findYear, startOfYear } from '../../../lib/years.ts';
import type { Context } from '../../foundation/context.ts';
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
}

/** Links that a page offers. The rest of the list is reached by its pages. */
const mostSeasons = 200;
const mostYears = 100;

/** By what was read of a show, which a change or a publication replaces. */
const outlines = new WeakMap<PublicPodcast, ShowOutline>();

/** Counted once for all pages. */
export async function outlineShow(ctx: Context, show: PublicPodcast): Promise<ShowOutline> {
  const known = outlines.get(show);
  if (known !== undefined) return known;
  const now = ctx.clock.now();
  const episodeCount = await countEpisodes(ctx, show);
  const seasons = await countBySeason(ctx.db, show.id, { now, limit: mostSeasons });
  const { trailer, ...range } = await selectEpisodeRange(ctx.db, show.id, now);
  const years = await countByYear(ctx, show, range, now);
  const outline = { episodeCount, seasons, years, trailer };
  outlines.set(show, outline);
  return outline;
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
