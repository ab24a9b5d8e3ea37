import { queryOptions } from '@tanstack/react-query';
import { readCoverColors } from '../lib/cover-colors.ts';
import { api, bodyOf, dataOf } from './client.ts';
import type { components, operations } from './schema.d.ts';

type Schemas = components['schemas'];
export type ShowSettings = Schemas['ShowSettings'];
export type ShowPerson = Schemas['ShowPerson'];
export type PeopleOfShow = Schemas['ShowPeople'];
export type PrefixCheck = components['schemas']['PrefixCheck'];
export type Health = Schemas['Health'];
export type HealthFinding = Schemas['HealthFinding'];
export type Directory = Schemas['Directory'];
export type FeedNotification = Schemas['FeedNotification'];
export type DirectoriesOfShow = Schemas['Directories'];
type Body<Operation extends keyof operations> = operations[Operation] extends {
  requestBody?: { content: { 'application/json': infer T } };
}
  ? T
  : never;
export type ShowChanges = Body<'editPodcast'>;
export type PeopleList = Body<'setPeople'>['people'];
export type Listings = Body<'setDirectories'>['directories'];

const at = (podcastId: string) => ({ params: { path: { podcastId } } });
/** Headers of a write over one revision: it is refused if somebody else was faster. */
const of = (podcastId: string, revision: number) => ({
  ...at(podcastId),
  headers: { 'If-Match': `"${revision}"` },
});

export const showQuery = (podcastId: string) =>
  queryOptions({
    queryKey: ['show', podcastId],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/app/api/podcasts/{podcastId}', { ...at(podcastId), signal })),
    staleTime: 60_000,
  });

export const editShow = (podcastId: string, revision: number, body: ShowChanges) =>
  dataOf(api.PATCH('/app/api/podcasts/{podcastId}', { ...of(podcastId, revision), body }));

/** Each returns the changed show. */
export const changeShowStatus = {
  pause: (podcastId: string, revision: number) =>
    dataOf(
      api.POST('/app/api/podcasts/{podcastId}/pause', { ...of(podcastId, revision), body: {} }),
    ),
  resume: (podcastId: string, revision: number) =>
    dataOf(
      api.POST('/app/api/podcasts/{podcastId}/resume', { ...of(podcastId, revision), body: {} }),
    ),
  stay: (podcastId: string, revision: number) =>
    dataOf(
      api.POST('/app/api/podcasts/{podcastId}/stay', { ...of(podcastId, revision), body: {} }),
    ),
};

export const moveShow = (podcastId: string, revision: number, newFeedUrl: string) =>
  dataOf(
    api.POST('/app/api/podcasts/{podcastId}/move', {
      ...of(podcastId, revision),
      body: { new_feed_url: newFeedUrl },
    }),
  );

/** For ever, with all its episodes and files. */
export const deleteShow = (
  podcastId: string,
  revision: number,
  body: { slug: string; current_password: string },
) => bodyOf(api.DELETE('/app/api/podcasts/{podcastId}', { ...of(podcastId, revision), body }));

/** The main colors of the cover. */
export const coverColorsQuery = (artwork: ShowSettings['artwork']) =>
  queryOptions({
    queryKey: ['cover-colors', artwork?.id ?? null],
    queryFn: () => (artwork === null ? [] : readCoverColors(`${artwork.url}?width=160`)),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const removeCover = (podcastId: string, revision: number) =>
  dataOf(api.DELETE('/app/api/podcasts/{podcastId}/artwork', of(podcastId, revision)));

export const removeHeaderImage = (podcastId: string, revision: number) =>
  dataOf(api.DELETE('/app/api/podcasts/{podcastId}/header-image', of(podcastId, revision)));

/** Where a form sends what is not saved yet; the response is the show's page with it. */
export const pagePreviewPath = (podcastId: string) => `/app/api/podcasts/${podcastId}/page-preview`;

export const peopleQuery = (podcastId: string) =>
  queryOptions({
    queryKey: ['show', podcastId, 'people'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/app/api/podcasts/{podcastId}/people', { ...at(podcastId), signal })),
  });

export const setPeople = (podcastId: string, revision: number, people: PeopleList) =>
  dataOf(
    api.PUT('/app/api/podcasts/{podcastId}/people', {
      ...of(podcastId, revision),
      body: { people },
    }),
  );

export const removePhoto = (podcastId: string, personId: string, revision: number) =>
  dataOf(
    api.DELETE('/app/api/podcasts/{podcastId}/people/{personId}/photo', {
      params: { path: { podcastId, personId } },
      headers: of(podcastId, revision).headers,
    }),
  );

export const healthQuery = (podcastId: string) =>
  queryOptions({
    queryKey: ['show', podcastId, 'health'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/app/api/podcasts/{podcastId}/health', { ...at(podcastId), signal })),
  });

export const checkPrefixes = (podcastId: string) =>
  dataOf(api.POST('/app/api/podcasts/{podcastId}/prefixes/check', at(podcastId)));

export const directoriesQuery = (podcastId: string) =>
  queryOptions({
    queryKey: ['show', podcastId, 'directories'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/app/api/podcasts/{podcastId}/directories', { ...at(podcastId), signal })),
  });

export const feedNotificationsQuery = (podcastId: string) =>
  queryOptions({
    queryKey: ['show', podcastId, 'feed-notifications'],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/app/api/podcasts/{podcastId}/feed-notifications', { ...at(podcastId), signal }),
      ),
  });

export const setDirectories = (podcastId: string, revision: number, directories: Listings) =>
  dataOf(
    api.PUT('/app/api/podcasts/{podcastId}/directories', {
      ...of(podcastId, revision),
      body: { directories },
    }),
  );

/** A download; the browser saves it. */
export const exportAddress = (podcastId: string, withAudio: boolean) =>
  `/app/api/podcasts/${podcastId}/export${withAudio ? '?audio=true' : ''}`;
