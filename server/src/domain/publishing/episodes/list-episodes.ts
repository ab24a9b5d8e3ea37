import { type Page, toPage } from '../../../lib/list-page.ts';
import { addDays, utcDayOf } from '../../../lib/utc-day.ts';
import type { Context } from '../../foundation/context.ts';
import { allows, authorize, roleOf } from '../../foundation/permissions/index.ts';
import { atOnce, type InTurn } from '../../foundation/take-turn.ts';
import { confirmationsFor, statusesAfter } from './episode.ts';
import type { EpisodeListPosition, EpisodeListQuery, MemberEpisode } from './member-episode.ts';
import { selectEpisodeList } from './member-episodes.sql.ts';
import {
  type EpisodeCounts,
  type ShowEpisode,
  type ShowEpisodePosition,
  type ShowEpisodeQuery,
  selectEpisodeCounts,
  selectShowEpisodes,
} from './show-episodes.sql.ts';

/**
 * Lists the episodes of a podcast that its member sees, newest first: by publication, else
 * schedule, else creation. For a member who sees only those that credit them, it reads all these.
 */
export async function listEpisodes(
  ctx: Context,
  query: EpisodeListQuery,
  inTurn: InTurn = atOnce,
): Promise<Page<MemberEpisode, EpisodeListPosition>> {
  const { creditedUserId } = await authorize(ctx, 'episodes.read', query);
  const now = ctx.clock.now();
  const listed = { ...query, creditedUserId, limit: query.limit + 1 };
  const read = () => selectEpisodeList(ctx.db, listed, now);
  const rows = await (creditedUserId === undefined ? read() : inTurn(read));
  const page = toPage(rows, query.limit, ({ listedAt, episode, moves }) => ({
    listedAt,
    id: episode.id,
    moves,
  }));
  return { ...page, items: page.items.map(({ episode }) => episode) };
}

/** More would not make a search narrower. */
const mostWords = 8;

interface ShowEpisodePage extends Page<ShowEpisode, ShowEpisodePosition> {
  /** Of all episodes that the member sees, whatever the filters; undefined after the first page. */
  readonly counts: EpisodeCounts | undefined;
}

/**
 * Lists the episodes of a show that its member sees, to work on. Two statements a page, three the
 * first. A search reads the titles of all episodes, the first page has their numbers, and for a
 * member who sees only some, any page reads all these.
 */
export async function listShowEpisodes(
  ctx: Context,
  { search = '', ...query }: ShowEpisodeQuery,
  inTurn: InTurn = atOnce,
): Promise<ShowEpisodePage> {
  const { podcastId, limit } = query;
  const { creditedUserId, membership } = await authorize(ctx, 'episodes.read', { podcastId });
  const now = ctx.clock.now();
  const today = utcDayOf(now);
  const listed = {
    ...query,
    creditedUserId,
    words: search
      .split(/\s+/, mostWords + 1)
      .filter((word) => word !== '')
      .slice(0, mostWords),
    days: allows(roleOf(membership), 'analytics.read')
      ? { from: addDays(today, -7), to: addDays(today, -1) }
      : undefined,
    limit: limit + 1,
  };
  const isFirst = query.after === undefined;
  const read = async () => ({
    rows: await selectShowEpisodes(ctx.db, listed, now),
    counts: isFirst ? await selectEpisodeCounts(ctx.db, listed, now) : undefined,
  });
  const isLong = isFirst || search !== '' || creditedUserId !== undefined;
  const { rows, counts } = await (isLong ? inTurn(read) : read());
  const page = toPage(rows, limit, ({ position }) => position);
  const mayPublish = allows(roleOf(membership), 'episode.publish');
  return {
    items: page.items.map(({ episode }) => ({
      ...episode,
      mayBecome: mayPublish ? statusesAfter(episode.status) : [],
      toConfirm: confirmationsFor(episode),
    })),
    next: page.next,
    counts,
  };
}
