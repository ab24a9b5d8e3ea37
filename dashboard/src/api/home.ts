import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import type { components } from './schema.d.ts';

export type HomeShow = components['schemas']['HomeShow'];
export type ShowNeed = components['schemas']['ShowNeed'];
export type AccountNeed = components['schemas']['AccountNeed'];

/** The person's shows with their newest figures, page by page, and what needs attention. */
export const homeQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['home', q],
    queryFn: ({ pageParam, signal }) =>
      bodyOf(
        api.GET('/app/api/home', {
          params: {
            query: { ...(q !== '' && { q }), ...(pageParam !== null && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  });
