import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, bodyOf, dataOf } from './client.ts';
import type { components } from './schema.d.ts';

export type PlatformFigures = components['schemas']['PlatformFigures'];
export type PlatformImportReport = components['schemas']['PlatformImportReport'];
export type PlatformSource = 'apple' | 'spotify';

/** The last import of a platform, with its episodes page by page. */
export const platformQuery = (podcastId: string, source: PlatformSource) =>
  infiniteQueryOptions({
    queryKey: ['platforms', podcastId, source],
    queryFn: ({ pageParam, signal }) =>
      bodyOf(
        api.GET('/app/api/podcasts/{podcastId}/platforms/{source}', {
          params: {
            path: { podcastId, source },
            query: { limit: 100, ...(pageParam !== null && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
  });

/** Throws what the import of the file would throw; it changes nothing. */
export const checkPlatformFile = (podcastId: string, source: PlatformSource, file: File) =>
  api.POST(
    '/app/api/podcasts/{podcastId}/platforms/{source}/check',
    sending(podcastId, source, file),
  );

/** Replaces the figures of a platform with those of a CSV file. */
export const importPlatformFile = (podcastId: string, source: PlatformSource, file: File) =>
  dataOf(
    api.PUT('/app/api/podcasts/{podcastId}/platforms/{source}', sending(podcastId, source, file)),
  );

const sending = (podcastId: string, source: PlatformSource, file: File) => ({
  params: { path: { podcastId, source } },
  body: file,
  bodySerializer: (body: unknown) => body as File,
  headers: { 'Content-Type': 'text/csv' },
});
