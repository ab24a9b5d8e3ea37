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

export type Confirmation = EpisodeListItem['to_confirm'][number];

/** Changes of the status; each returns the new state with its revision. */
export const changeStatus = {
  /** Keeps the date of the first publication. */
  publish: (target: Target, confirm: readonly Confirmation[]) =>
    dataOf(
      api.POST('/app/api/episodes/{episodeId}/publish', {
        ...at(target),
        body: { confirm: [...confirm] },
      }),
    ),
  schedule: (target: Target, scheduledFor: string, confirm: readonly Confirmation[]) =>
    dataOf(
      api.POST('/app/api/episodes/{episodeId}/schedule', {
        ...at(target),
        body: { scheduled_for: scheduledFor, confirm: [...confirm] },
      }),
    ),
  unpublish: (target: Target) =>
    dataOf(api.POST('/app/api/episodes/{episodeId}/unpublish', { ...at(target), body: {} })),
  archive: (target: Target) =>
    dataOf(api.POST('/app/api/episodes/{episodeId}/archive', { ...at(target), body: {} })),
};

type Earlier = Pick<EpisodeListItem, 'status' | 'published_at' | 'scheduled_for'>;

const earlier = ({ status, published_at, scheduled_for }: Earlier) => ({
  status,
  published_at,
  scheduled_for,
});

/** An undo brings back what was there, with or without audio. */
const confirm: Confirmation[] = ['without_audio'];

/** Returns an episode to an earlier status, with its dates. */
export const restoreStatus = (target: Target, before: Earlier) =>
  dataOf(
    api.POST('/app/api/episodes/{episodeId}/restore-status', {
      ...at(target),
      body: { ...earlier(before), confirm },
    }),
  );

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

export type BulkAction = 'publish' | 'unpublish' | 'archive';

/** The result for each episode, in the language of the app. */
export async function changeMany(podcastId: string, action: BulkAction, ids: string[]) {
  return translated(
    await dataOf(
      api.POST('/app/api/podcasts/{podcastId}/episodes/bulk', {
        params: { path: { podcastId } },
        body: { action, ids },
      }),
    ),
  );
}

/** Returns episodes to earlier statuses, if they still have these revisions. */
export async function restoreMany(podcastId: string, episodes: readonly (Target & Earlier)[]) {
  return translated(
    await dataOf(
      api.POST('/app/api/podcasts/{podcastId}/episodes/restore-status', {
        params: { path: { podcastId } },
        body: {
          episodes: episodes.map(({ id, revision, ...before }) => ({
            ...{ id, revision },
            ...earlier(before),
          })),
          confirm,
        },
      }),
    ),
  );
}

export type EpisodeOutcome = components['schemas']['EpisodeOutcome'];

async function translated(outcomes: readonly EpisodeOutcome[]): Promise<EpisodeOutcome[]> {
  const { sayRefusal } = await import('../sentences/say-refusal.ts');
  return outcomes.map((outcome) => {
    const { error } = outcome;
    if (error === null) return outcome;
    return { ...outcome, error: { ...error, message: sayRefusal(error, error.reason) } };
  });
}
