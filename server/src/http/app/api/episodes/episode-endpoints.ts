import type { Static } from 'typebox';
import Type from 'typebox';
import type { Context } from '../../../../domain/foundation/context.ts';
import type { ErrorDetail } from '../../../../domain/foundation/errors.ts';
import {
  createPreviewLink,
  findPreviewLink,
  revokePreviewLink,
} from '../../../../domain/public/previews/index.ts';
import { removeAudio } from '../../../../domain/publishing/audio/index.ts';
import {
  checkEpisode,
  deleteEpisode,
  type EpisodeChanges,
  editEpisode,
  listEpisodeChanges,
  readEpisodeDraft,
  startEpisode,
} from '../../../../domain/publishing/episodes/index.ts';
import { setEpisodeArtwork } from '../../../../domain/publishing/images/index.ts';
import { duplicateEpisode } from '../../../../domain/service/shows/index.ts';
import { domainNames, wireNames } from '../../../../lib/wire-names.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { nullable } from '../../field-schemas.ts';
import { created, ok, revised } from '../../response.ts';
import { readExpectation } from '../../revision.ts';
import {
  CreateEpisode,
  EpisodeDraft,
  FieldChange,
  PreviewLink,
  presentDraft,
  UpdateEpisode,
} from './episode-shapes.ts';

/** The current episode with its revision, the response to every write. */
async function readDraft(ctx: Context, episodeId: string) {
  return presentDraft(ctx.installation, await readEpisodeDraft(ctx, episodeId));
}

type Body = Partial<Static<typeof UpdateEpisode>>;

/** The fields of a body under the names of the domain; those left out are missing. */
function readChanges({ episode_number: number, ...rest }: Body): EpisodeChanges {
  const changes = domainNames(rest);
  if (number === undefined) return changes;
  return { ...changes, ...(number === null ? { numberGiven: false } : { episodeNumber: number }) };
}

/** The domain names two fields as the command line does. */
const names: Readonly<Record<string, string>> = { episode: 'episode_number', type: 'episode_type' };

function checkChanges(changes: EpisodeChanges): ErrorDetail[] {
  return checkEpisode(changes).map((detail) => ({
    ...detail,
    field: names[detail.field] ?? detail.field,
  }));
}

const path = '/app/api/episodes/:episodeId';
/** Enough for a description and show notes of the maximum length, with every character escaped. */
const maxTextBytes = 2 * 1024 * 1024;

export const episodeRoutes: readonly Route[] = [
  defineEndpoint('POST /app/api/podcasts/:podcastId/episodes', {
    id: 'createEpisode',
    summary: 'Creates a draft',
    body: { json: CreateEpisode },
    response: revised(EpisodeDraft, 201),
    check: (_http, { body, refuse }) => refuse(...checkChanges(readChanges(body))),
    async handle({ ctx }, { params: { podcastId }, body: { title, slug } }) {
      const { id } = await startEpisode(ctx, { podcastId, title, slug });
      return readDraft(ctx, id);
    },
  }),
  defineEndpoint(`GET ${path}`, {
    id: 'getEpisode',
    summary: 'An episode with everything that its members edit',
    response: revised(EpisodeDraft),
    handle: ({ ctx }, { params: { episodeId } }) => readDraft(ctx, episodeId),
  }),
  defineEndpoint(`GET ${path}/changes`, {
    id: 'listEpisodeChanges',
    summary: 'Who changed each field of an episode last, within its last hundred changes',
    response: ok(Type.Array(FieldChange)),
    handle: async ({ ctx }, { params: { episodeId } }) =>
      wireNames(await listEpisodeChanges(ctx, episodeId)),
  }),
  defineEndpoint(`PATCH ${path}`, {
    id: 'updateEpisode',
    summary: 'Changes the given fields of an episode',
    body: { json: UpdateEpisode, maxBytes: maxTextBytes },
    response: revised(EpisodeDraft),
    check(_http, { body, refuse }) {
      const changes = readChanges(body);
      refuse(...checkChanges(changes));
      return changes;
    },
    async handle({ ctx }, { params: { episodeId }, request, checked: changes }) {
      await editEpisode(ctx, episodeId, changes, readExpectation(request));
      return readDraft(ctx, episodeId);
    },
  }),
  defineEndpoint(`DELETE ${path}`, {
    id: 'deleteEpisode',
    summary: 'Deletes an episode',
    mayBeAbandoned: true,
    handle: ({ ctx }, { params: { episodeId }, request }) =>
      deleteEpisode(ctx, episodeId, readExpectation(request)),
  }),
  defineEndpoint(`POST ${path}/duplicate`, {
    id: 'duplicateEpisode',
    summary: "Creates a draft with an episode's texts, artwork and people",
    response: revised(EpisodeDraft, 201),
    async handle({ ctx }, { params: { episodeId } }) {
      const { id } = await duplicateEpisode(ctx, episodeId);
      return readDraft(ctx, id);
    },
  }),
];

/** Files of an episode are set with finished uploads (`uploads-endpoints.ts`), and removed here. */
export const episodeFileRoutes: readonly Route[] = [
  defineEndpoint(`DELETE ${path}/audio`, {
    id: 'removeAudio',
    summary: 'Removes the audio of an episode',
    response: revised(EpisodeDraft),
    async handle({ ctx }, { params: { episodeId }, request }) {
      await removeAudio(ctx, episodeId, readExpectation(request));
      return readDraft(ctx, episodeId);
    },
  }),
  defineEndpoint(`DELETE ${path}/artwork`, {
    id: 'removeEpisodeArtwork',
    summary: 'Gives an episode the artwork of its show again',
    response: revised(EpisodeDraft),
    async handle({ ctx }, { params: { episodeId }, request }) {
      await setEpisodeArtwork(ctx, episodeId, null, readExpectation(request));
      return readDraft(ctx, episodeId);
    },
  }),
];

const previewPath = '/app/api/episodes/:episodeId/preview-link';

export const previewLinkRoutes: readonly Route[] = [
  defineEndpoint(`GET ${previewPath}`, {
    id: 'getPreviewLink',
    summary: "The secret URL of an episode's preview, if there is one",
    response: ok(nullable(PreviewLink)),
    handle: async ({ ctx }, { params: { episodeId } }) =>
      wireNames((await findPreviewLink(ctx, episodeId)) ?? null),
  }),
  defineEndpoint(`POST ${previewPath}`, {
    id: 'createPreviewLink',
    summary: 'Creates a new secret URL for thirty days, which replaces the previous one',
    response: created(PreviewLink),
    handle: async ({ ctx }, { params: { episodeId } }) =>
      wireNames(await createPreviewLink(ctx, episodeId)),
  }),
  defineEndpoint(`DELETE ${previewPath}`, {
    id: 'revokePreviewLink',
    summary: 'Ends the preview of an episode',
    handle: ({ ctx }, { params: { episodeId } }) => revokePreviewLink(ctx, episodeId),
  }),
];
