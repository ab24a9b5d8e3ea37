import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, bodyOf, dataOf } from './client.ts';
import { everyPage } from './every-page.ts';
import type { components } from './schema.d.ts';

export type Site = components['schemas']['Site'];
export type SitePost = components['schemas']['SitePost'];
export type SiteKey = components['schemas']['SiteKey'];
export type ConnectableShow = components['schemas']['ConnectableShow'];

const firstPage = null as string | null;
const nextCursor = ({ pagination }: { pagination: { next_cursor: string | null } }) =>
  pagination.next_cursor;
const pageQuery = (cursor: string | null) => ({ limit: 100, ...(cursor !== null && { cursor }) });

/** Connected and earlier sites, newest first. */
export const sitesQuery = infiniteQueryOptions({
  queryKey: ['sites'],
  queryFn: ({ pageParam, signal }) =>
    bodyOf(api.GET('/app/api/sites', { params: { query: pageQuery(pageParam) }, signal })),
  initialPageParam: firstPage,
  getNextPageParam: nextCursor,
});

export const siteQuery = (siteId: string) =>
  queryOptions({
    queryKey: ['sites', siteId],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/app/api/sites/{siteId}', { params: { path: { siteId } }, signal })),
  });

/** The posts of a site, the last report first. */
export const sitePostsQuery = (siteId: string) =>
  infiniteQueryOptions({
    queryKey: ['sites', siteId, 'posts'],
    queryFn: ({ pageParam, signal }) =>
      bodyOf(
        api.GET('/app/api/sites/{siteId}/posts', {
          params: { path: { siteId }, query: pageQuery(pageParam) },
          signal,
        }),
      ),
    initialPageParam: firstPage,
    getNextPageParam: nextCursor,
  });

/** The shows that the person owns or administers, with the obstacles for a site. */
export const connectableShowsQuery = queryOptions({
  queryKey: ['connectable-shows'],
  queryFn: ({ signal }) =>
    everyPage((query) =>
      bodyOf(api.GET('/app/api/connectable-shows', { params: { query }, signal })),
    ),
});

export const changeSiteShows = (siteId: string, podcasts: string[]) =>
  dataOf(
    api.PUT('/app/api/sites/{siteId}/shows', { params: { path: { siteId } }, body: { podcasts } }),
  );

export const disconnectSite = (siteId: string) =>
  dataOf(
    api.POST('/app/api/sites/{siteId}/disconnect', { params: { path: { siteId } }, body: {} }),
  );

/** The response is the only one that has the secret. */
export const createSiteKey = (body: {
  id: string;
  podcasts: string[];
  transcripts: boolean;
  current_password: string;
}) => dataOf(api.POST('/app/api/site-keys', { body }));
