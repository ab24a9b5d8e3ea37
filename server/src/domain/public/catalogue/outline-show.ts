import { findYear, startOfYear } from '../../../lib/years.ts';
import type { Context } from '../../foundation/context.ts';
import { countEpisodes } from './find-public-podcast.ts';
import type { PublicPodcast } from './public-podcast.ts';
import {
  countBetween,
  countBySeason,
  type SeasonCount,
  selectPublishedRange,
} from './public-podcasts.sql.ts';

/** Where the episodes of a show are. Numbers are of what is public. */
export interface ShowOutline {
  readonly episodeCount: number;
  /** The newest first. */
  readonly seasons: readonly SeasonCount[];
  /** The newest first, in the show's time zone. */
  readonly years: readonly { readonly year: number; readonly count: number }[];
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
  const outline = { episodeCount, seasons, years: await countByYear(ctx, show, now) };
  outlines.set(show, outline);
  return outline;
}

async function countByYear(
  { db }: Context,
  { id, timezone }: PublicPodcast,
  now: Date,
): Promise<ShowOutline['years']> {
  const { first, last } = await selectPublishedRange(db, id, now);
  if (first === null || last === null) return [];
  const newest = findYear(last, timezone);
  const oldest = Math.max(findYear(first, timezone), newest - mostYears + 1);
  const years = Array.from({ length: newest - oldest + 1 }, (_, index) => oldest + index);
  const moments = years.map((year) => startOfYear(year, timezone));
  const counts = await countBetween(db, id, moments, now);
  return counts.map(({ index, count }) => ({ year: oldest + index, count }));
}
