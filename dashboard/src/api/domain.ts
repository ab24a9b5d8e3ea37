import { queryOptions } from '@tanstack/react-query';
import { api, dataOf } from './client.ts';
import type { components } from './schema.d.ts';

export type DomainOfShow = components['schemas']['DomainOfShow'];
export type OwnDomain = components['schemas']['OwnDomain'];
export type ExpectedRecords = NonNullable<DomainOfShow['expected']>;

const at = (podcastId: string) => ({ params: { path: { podcastId } } });
const of = (podcastId: string, revision: number) => ({
  ...at(podcastId),
  headers: { 'If-Match': `"${revision}"` },
});

export const domainQuery = (podcastId: string) =>
  queryOptions({
    queryKey: ['show', podcastId, 'domain'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/app/api/podcasts/{podcastId}/domain', { ...at(podcastId), signal })),
  });

export const setDomain = (podcastId: string, revision: number, host: string) =>
  dataOf(
    api.PUT('/app/api/podcasts/{podcastId}/domain', { ...of(podcastId, revision), body: { host } }),
  );

export const removeDomain = (podcastId: string, revision: number) =>
  dataOf(api.DELETE('/app/api/podcasts/{podcastId}/domain', of(podcastId, revision)));

export const checkDomain = (podcastId: string) =>
  dataOf(api.POST('/app/api/podcasts/{podcastId}/domain/check', { ...at(podcastId), body: {} }));
