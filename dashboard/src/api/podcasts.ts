import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, dataOf } from './client.ts';
import { problemOf } from './errors.ts';
import { everyPage } from './every-page.ts';
import type { components } from './schema.d.ts';

export type MyPodcast = components['schemas']['MyPodcast'];
export type ShowRights = components['schemas']['ShowRights'];

/** All shows that the person works on, oldest first, with their own role in each. */
export const allMyPodcastsQuery = queryOptions({
  queryKey: ['podcasts', 'all'],
  queryFn: ({ signal }) =>
    everyPage((query) => bodyOf(api.GET('/app/api/podcasts', { params: { query }, signal }))),
  staleTime: 60_000,
});

/**
 * One of them; null: it does not exist or is not theirs. A request of its own, because networks
 * have thousands of shows.
 */
export const myPodcastQuery = (podcastId: string) =>
  queryOptions({
    queryKey: ['podcasts', podcastId],
    async queryFn({ signal }) {
      const params = { query: { podcast: podcastId } };
      const { data } = await bodyOf(api.GET('/app/api/podcasts', { params, signal }));
      return data[0] ?? null;
    },
    staleTime: 60_000,
  });

interface NewShow {
  readonly title: string;
  readonly language?: string;
  /** Left out if the server does not know it, because the browser may be newer. */
  readonly timezone?: string;
}

/** Makes a show, with little more than its title. */
export async function createPodcast({ timezone, ...body }: NewShow) {
  const create = (more: { timezone?: string }) =>
    dataOf(api.POST('/app/api/podcasts', { body: { ...body, ...more } }));
  if (timezone === undefined) return await create({});
  try {
    return await create({ timezone });
  } catch (error) {
    if (problemOf(error, 'timezone') === undefined) throw error;
    return await create({});
  }
}
