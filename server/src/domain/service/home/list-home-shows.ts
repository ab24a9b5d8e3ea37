import type { Page } from '../../../lib/list-page.ts';
import { addDays, type UtcDay, utcDayOf } from '../../../lib/utc-day.ts';
import type { Context } from '../../foundation/context.ts';
import type { EpisodeStatus } from '../../foundation/enumerations.ts';
import {
  type Capability,
  type MemberRole,
  roleOf,
  seesAllEpisodes,
} from '../../foundation/permissions/index.ts';
import { requireUser } from '../../foundation/principal.ts';
import type { ImageRef } from '../../public/catalogue/index.ts';
import {
  listMyPodcasts,
  type MyPodcast,
  type MyPodcastsQuery,
  type PodcastPosition,
} from '../../publishing/podcasts/index.ts';
import { type HomeFacts, selectHomeFacts } from './home-facts.sql.ts';

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
  const isCounted = podcast.hostingType === 'hosted' && podcast.may.analytics;
  return {
    ...podcast,
    ...role,
    artwork: facts.artwork,
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

/** A show on the first page of somebody who works on it. Drafts they may not see do not count. */
export interface HomeShow extends Omit<MyPodcast, 'membership' | 'teamKeys'>, MemberRole {
  readonly artwork: ImageRef | null;
  readonly nextScheduled: ScheduledEpisode | null;
  readonly latest: LatestEpisode | null;
  /** Null: the role does not include analytics, or nothing is counted here. */
  readonly downloads7d: WeekOfDownloads | null;
  readonly episodeCounts: Readonly<Record<EpisodeStatus, number>>;
  readonly needs: readonly ShowNeed[];
}

interface ScheduledEpisode {
  readonly id: string;
  readonly title: string;
  readonly scheduledFor: Date;
}

interface LatestEpisode {
  readonly id: string;
  readonly title: string;
  readonly publishedAt: Date;
}

/** Seven whole days, until yesterday (UTC), and the seven before them: both are complete. */
interface WeekOfDownloads {
  readonly from: UtcDay;
  readonly to: UtcDay;
  readonly total: number;
  readonly previous: number;
}

/** Something that a member should do about a show. `count`: of episodes. */
export type ShowNeed =
  | {
      readonly kind: 'scheduled_without_audio' | 'pending_confirmation' | 'draft_without_audio';
      readonly count: number;
    }
  | { readonly kind: 'import_failed'; readonly importId: string; readonly failedAt: Date }
  | { readonly kind: 'no_artwork' | 'no_category' | 'plan_lapsed' };

type Facts = Pick<
  HomeFacts,
  | 'counts'
  | 'draftsWithoutAudio'
  | 'scheduledWithoutAudio'
  | 'failedImport'
  | 'artwork'
  | 'category'
  | 'planState'
>;

/** What the facts ask for, the most urgent first, as far as the member may do something about it. */
function findShowNeeds(facts: Facts, capabilities: readonly Capability[]): ShowNeed[] {
  const may = (capability: Capability) => capabilities.includes(capability);
  const needs: ShowNeed[] = [];
  const add = (needed: boolean | number, need: ShowNeed) => {
    if (needed !== false && needed !== 0) needs.push(need);
  };
  if (may('episodes.edit')) {
    const { scheduledWithoutAudio: scheduled, draftsWithoutAudio: drafts, counts } = facts;
    const pending = counts.pending_confirmation;
    add(scheduled, { kind: 'scheduled_without_audio', count: scheduled });
    add(pending, { kind: 'pending_confirmation', count: pending });
    add(drafts, { kind: 'draft_without_audio', count: drafts });
  }
  if (facts.failedImport !== null) {
    const { id, failedAt } = facts.failedImport;
    needs.push({ kind: 'import_failed', importId: id, failedAt: new Date(failedAt) });
  }
  if (may('show.settings')) {
    add(facts.artwork === null, { kind: 'no_artwork' });
    add(facts.category === null, { kind: 'no_category' });
    add(facts.planState === 'lapsed', { kind: 'plan_lapsed' });
  }
  return needs;
}
