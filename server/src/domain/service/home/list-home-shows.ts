import type { Page } from '../../../lib/page.ts';
import { addDays, utcDayOf } from '../../../lib/utc-day.ts';
import type { Context } from '../../foundation/context.ts';
import { roleOf, seesAllEpisodes } from '../../foundation/permissions/index.ts';
import { requireUser } from '../../foundation/principal.ts';
import {
  listMyPodcasts,
  type MyPodcast,
  type MyPodcastsQuery,
  type PodcastPosition,
} from '../../publishing/podcasts/index.ts';
import { type HomeFacts, selectHomeFacts } from './home-facts.sql.ts';
import type { HomeShow, WeekOfDownloads } from './home-show.ts';
import { findShowNeeds } from './show-needs.ts';

/** Lists the shows the signed-in user works on, oldest first. Two statements, however many shows. */
export async function listHomeShows(
  ctx: Context,
  query: Pick<MyPodcastsQuery, 'limit' | 'after' | 'title'>,
): Promise<Page<HomeShow, PodcastPosition>> {
  const userId = requireUser(ctx);
  const { items, next } = await listMyPodcasts(ctx, query);
  if (items.length === 0) return { items: [], next };
  const now = ctx.clock.now();
  const until = utcDayOf(now);
  const days = { before: addDays(until, -14), from: addDays(until, -7), until };
  const shown = items.map(({ id, membership }) => ({ id, seesAll: seesAllEpisodes(membership) }));
  const facts = await selectHomeFacts(ctx.db, shown, { userId, now, ...days });
  const factsById = new Map(facts.map((one) => [one.podcastId, one]));
  const week = { from: days.from, to: addDays(until, -1) };
  const shows = items.flatMap((podcast) => {
    const found = factsById.get(podcast.id);
    // Without facts it was deleted in between.
    return found === undefined ? [] : [toHomeShow(podcast, found, week)];
  });
  return { items: shows, next };
}

function toHomeShow(
  { membership, ...podcast }: MyPodcast,
  facts: HomeFacts,
  week: Pick<WeekOfDownloads, 'from' | 'to'>,
): HomeShow {
  const role = roleOf(membership);
  const { nextScheduled, latest, downloads: total, previousDownloads: previous } = facts;
  const isCounted =
    podcast.hostingType === 'hosted' && role.capabilities.includes('analytics.view');
  return {
    ...podcast,
    ...role,
    artwork: facts.artwork,
    suspendedFor: facts.suspendedFor,
    nextScheduled: nextScheduled && {
      ...nextScheduled,
      scheduledFor: new Date(nextScheduled.scheduledFor),
    },
    latest: latest && { ...latest, publishedAt: new Date(latest.publishedAt) },
    downloads7d: isCounted ? { ...week, total, previous } : null,
    episodeCounts: facts.counts,
    needs: findShowNeeds(facts, role.capabilities),
  };
}
