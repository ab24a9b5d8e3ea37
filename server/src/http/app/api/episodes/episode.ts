import Type from 'typebox';
import {
  deleteEpisode,
  listEpisodeChanges,
  startEpisode,
  updateEpisode,
} from '../../../../domain/publishing/episodes/index.ts';
import { duplicateEpisode } from '../../../../domain/service/shows/index.ts';
import { wireNames } from '../../../../lib/wire-names.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { ok, revised } from '../../response.ts';
import { readExpectation } from '../../revision.ts';
import { CreateEpisode, EpisodeDraft, FieldChange, UpdateEpisode } from '../../schemas/episodes.ts';
import { checkChanges, readChanges } from './read-changes.ts';
import { readDraft } from './read-draft.ts';

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
      await updateEpisode(ctx, episodeId, changes, readExpectation(request));
      return readDraft(ctx, episodeId);
    },
  }),
  defineEndpoint(`DELETE ${path}`, {
    id: 'deleteEpisode',
    summary: 'Deletes an episode',
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
