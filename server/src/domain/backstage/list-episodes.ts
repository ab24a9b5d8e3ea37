import { type Page, toPage } from '../../lib/page.ts';
import type { Context } from '../context.ts';
import type { EpisodeStatus } from '../episodes/index.ts';
import type { BackstageEpisode, EpisodeListPosition } from './episode.ts';
import { selectEpisodeList } from './episodes.sql.ts';

export interface EpisodeListQuery {
  readonly podcastId: string;
  /** Only episodes that credit this user; undefined: all. */
  readonly creditedUserId: string | undefined;
  /** As of now: what is due is published. */
  readonly status: EpisodeStatus | undefined;
  readonly after: EpisodeListPosition | undefined;
  readonly limit: number;
}

/** Newest first: by publication, else schedule, else creation. */
export async function listBackstageEpisodes(
  ctx: Context,
  query: EpisodeListQuery,
): Promise<Page<BackstageEpisode, EpisodeListPosition>> {
  const now = ctx.clock.now();
  const rows = await selectEpisodeList(ctx.db, { ...query, limit: query.limit + 1 }, now);
  const page = toPage(rows, query.limit, ({ listedAt, episode, changedBy }) => ({
    listedAt,
    id: episode.id,
    changedBy,
  }));
  return { ...page, items: page.items.map(({ episode }) => episode) };
}
