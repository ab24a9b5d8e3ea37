import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, bodyOf, dataOf } from './client.ts';
import type { components } from './schema.d.ts';

export type EpisodeListItem = components['schemas']['EpisodeListItem'];
export type EpisodeStatus = EpisodeListItem['status'];
export type EpisodeSort = 'newest' | 'oldest' | 'title' | 'number';

export interface EpisodeListFilters {
  readonly q?: string | undefined;
  readonly status?: EpisodeStatus | undefined;
  readonly sort?: EpisodeSort | undefined;
}

/** The episodes of a show, a hundred at a time; the first page has the counts by status. */
export const episodesQuery = (podcastId: string, filters: EpisodeListFilters) =>
  infiniteQueryOptions({
    queryKey: ['episodes', podcastId, filters],
    queryFn: ({ pageParam, signal }) => {
      const { q = '', status, sort } = filters;
      const query = {
        limit: 100,
        ...(q !== '' && { q }),
        ...(status !== undefined && { status }),
        ...(sort !== undefined && { sort }),
        ...(pageParam !== null && { cursor: pageParam }),
      };
      const params = { path: { podcastId }, query };
      return bodyOf(api.GET('/app/api/podcasts/{podcastId}/episodes', { params, signal }));
    },
    // Comparing thousands of episodes after each page would take longer than drawing them.
    structuralSharing: false,
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  });

/** The version that the person has seen; a write depends on it. */
const ifMatch = (revision: number) => ({ headers: { 'If-Match': `"${revision}"` } });

interface Target {
  readonly id: string;
  readonly revision: number;
}

const at = ({ id, revision }: Target) => ({
  params: { path: { episodeId: id } },
  ...ifMatch(revision),
});

/** Changes of the status; each returns the new state with its revision. */
export const changeStatus = {
  /** Without a date: now, or the date of its first publication. */
  publish: (target: Target, publishedAt: string | null = null) =>
    dataOf(
      api.POST('/app/api/episodes/{episodeId}/publish', {
        ...at(target),
        body: publishedAt === null ? {} : { published_at: publishedAt },
      }),
    ),
  schedule: (target: Target, scheduledFor: string) =>
    dataOf(
      api.POST('/app/api/episodes/{episodeId}/schedule', {
        ...at(target),
        body: { scheduled_for: scheduledFor },
      }),
    ),
  unpublish: (target: Target) =>
    dataOf(api.POST('/app/api/episodes/{episodeId}/unpublish', { ...at(target), body: {} })),
  archive: (target: Target) =>
    dataOf(api.POST('/app/api/episodes/{episodeId}/archive', { ...at(target), body: {} })),
};

/**
 * Returns an episode to an earlier status, with its dates. An archived one becomes a draft first.
 */
export async function restoreStatus(
  target: Target,
  before: Pick<EpisodeListItem, 'status' | 'published_at' | 'scheduled_for'>,
) {
  const draft = await changeStatus.unpublish(target);
  const { status, published_at: publishedAt, scheduled_for: scheduledFor } = before;
  if (status === 'published') return changeStatus.publish(draft, publishedAt);
  if (status === 'archived') return changeStatus.archive(draft);
  if (status !== 'scheduled' || scheduledFor === null) return draft;
  return changeStatus.schedule(draft, scheduledFor);
}

export const duplicateEpisode = (episodeId: string) =>
  dataOf(
    api.POST('/app/api/episodes/{episodeId}/duplicate', {
      params: { path: { episodeId } },
      body: {},
    }),
  );

export const createEpisode = (podcastId: string, title: string) =>
  dataOf(
    api.POST('/app/api/podcasts/{podcastId}/episodes', {
      params: { path: { podcastId } },
      body: { title },
    }),
  );

/** `keepalive`: the request continues after the page was left. */
export const deleteEpisode = (target: Target, keepalive: boolean) =>
  bodyOf(api.DELETE('/app/api/episodes/{episodeId}', { ...at(target), keepalive }));

export type BulkAction = 'publish' | 'unpublish' | 'archive' | 'delete';

export const changeMany = (podcastId: string, action: BulkAction, ids: string[]) =>
  dataOf(
    api.POST('/app/api/podcasts/{podcastId}/episodes/bulk', {
      params: { path: { podcastId } },
      body: { action, ids },
    }),
  );
