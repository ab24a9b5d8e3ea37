import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, dataOf } from './client.ts';
import { problemOf } from './errors.ts';
import type { components } from './schema.d.ts';

export type MyPodcast = components['schemas']['MyPodcast'];

const pageSize = 100;
/** More shows than an account can have. */
const mostPages = 50;

/** All shows that the person works on, oldest first, with their own role in each. */
export const allMyPodcastsQuery = queryOptions({
  queryKey: ['podcasts', 'all'],
  async queryFn({ signal }) {
    const podcasts: MyPodcast[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < mostPages; page += 1) {
      const query: { limit: number; cursor?: string } = {
        limit: pageSize,
        ...(cursor !== null && { cursor }),
      };
      const { data, pagination } = await bodyOf(
        api.GET('/app/api/podcasts', { params: { query }, signal }),
      );
      podcasts.push(...data);
      cursor = pagination.next_cursor;
      if (cursor === null) break;
    }
    return podcasts;
  },
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
