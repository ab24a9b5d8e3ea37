import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, dataOf } from './client.ts';
import type { components, operations } from './schema.d.ts';

type Schemas = components['schemas'];
export type EpisodeDraft = Schemas['EpisodeDraft'];
export type EpisodePeople = Schemas['EpisodePeople'];
type Body<Operation extends keyof operations> = operations[Operation] extends {
  requestBody?: { content: { 'application/json': infer T } };
}
  ? T
  : never;
export type EpisodeChanges = Body<'updateEpisode'>;
export type PeopleChanges = Body<'setEpisodePeople'>;

const at = (episodeId: string) => ({ params: { path: { episodeId } } });
/** Headers of a write over one revision: it is refused if somebody else was faster. */
const of = (episodeId: string, revision: number) => ({
  ...at(episodeId),
  headers: { 'If-Match': `"${revision}"` },
});

export const loadEpisode = (episodeId: string, signal?: AbortSignal) =>
  dataOf(api.GET('/app/api/episodes/{episodeId}', { ...at(episodeId), ...(signal && { signal }) }));

export const episodeQuery = (episodeId: string) =>
  queryOptions({
    queryKey: ['episode', episodeId],
    queryFn: ({ signal }) => loadEpisode(episodeId, signal),
  });

/** Who changed each field last; asked anew for each revision. */
export const episodeChangesQuery = (episodeId: string, revision: number) =>
  queryOptions({
    queryKey: ['episode', episodeId, 'changes', revision],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/app/api/episodes/{episodeId}/changes', { ...at(episodeId), signal })),
  });

export const updateEpisode = (episodeId: string, revision: number, body: EpisodeChanges) =>
  dataOf(api.PATCH('/app/api/episodes/{episodeId}', { ...of(episodeId, revision), body }));

export const loadEpisodePeople = (episodeId: string, signal?: AbortSignal) =>
  dataOf(
    api.GET('/app/api/episodes/{episodeId}/people', {
      ...at(episodeId),
      ...(signal && { signal }),
    }),
  );

export const episodePeopleQuery = (episodeId: string) =>
  queryOptions({
    queryKey: ['episode', episodeId, 'people'],
    queryFn: ({ signal }) => loadEpisodePeople(episodeId, signal),
  });

export const setEpisodePeople = (episodeId: string, revision: number, body: PeopleChanges) =>
  dataOf(api.PUT('/app/api/episodes/{episodeId}/people', { ...of(episodeId, revision), body }));

export const previewLinkQuery = (episodeId: string) =>
  queryOptions({
    queryKey: ['episode', episodeId, 'preview'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/app/api/episodes/{episodeId}/preview-link', { ...at(episodeId), signal })),
  });

export const createPreviewLink = (episodeId: string) =>
  dataOf(api.POST('/app/api/episodes/{episodeId}/preview-link', { ...at(episodeId), body: {} }));

export const revokePreviewLink = (episodeId: string) =>
  bodyOf(api.DELETE('/app/api/episodes/{episodeId}/preview-link', at(episodeId)));
