import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';
import type { components } from './schema.d.ts';

export type FirstStep = components['schemas']['FirstStep'];

/** The next steps of a new show; empty: all are done, or the show is not new. */
export const firstStepsQuery = (podcastId: string) =>
  queryOptions({
    queryKey: ['first-steps', podcastId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/app/api/podcasts/{podcastId}/first-steps', {
          params: { path: { podcastId } },
          signal,
        }),
      ),
  });
