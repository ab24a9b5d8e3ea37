import { createEpisode, updateEpisode } from '../../../../domain/episodes/index.ts';
import { deleteEpisode, duplicateEpisode } from '../../../../domain/media/index.ts';
import { slugify } from '../../../../lib/slug.ts';
import { defineRoute, type Route } from '../../../route.ts';
import { answerNothing } from '../../answers.ts';
import { forSignedIn } from '../../requester.ts';
import { created, nothing, ok } from '../../responses.ts';
import { readExpectation } from '../../revision.ts';
import { CreateEpisode, EpisodeDraft, UpdateEpisode } from '../../schemas/episodes.ts';
import { closed, ids } from '../../schemas/fields.ts';
import { answerDraft } from './answer-draft.ts';
import { checkChanges, readChanges } from './read-changes.ts';

const path = '/app/api/episodes/:episodeId';
const params = ids('episodeId');
/** A description and show notes of the greatest length, with every sign of them escaped. */
const maxTextBytes = 2 * 1024 * 1024;

const createRoute = defineRoute({
  ...forSignedIn,
  method: 'POST',
  path: '/app/api/podcasts/:podcastId/episodes',
  params: ids('podcastId'),
  body: { json: CreateEpisode },
  operation: { id: 'createEpisode', summary: 'Makes a draft', responses: created(EpisodeDraft) },
  check: (_http, { body, refuse }) => refuse(...checkChanges(readChanges(body))),
  async handle(_http, { caller: { ctx }, params: { podcastId }, body: { title, slug } }) {
    const { id } = await createEpisode(ctx, {
      podcastId,
      title,
      // The title would stay as the description when it changes.
      description: '',
      slug: slug ?? slugify(title) ?? 'episode',
      onTakenSlug: slug === undefined ? 'number' : 'refuse',
    });
    return answerDraft(ctx, id);
  },
});

const readRoute = defineRoute({
  ...forSignedIn,
  method: 'GET',
  path,
  params,
  operation: {
    id: 'getEpisode',
    summary: 'An episode with all that its members edit',
    responses: ok(EpisodeDraft),
  },
  handle: (_http, { caller: { ctx }, params: { episodeId } }) => answerDraft(ctx, episodeId),
});

const updateRoute = defineRoute({
  ...forSignedIn,
  method: 'PATCH',
  path,
  params,
  body: { json: UpdateEpisode, maxBytes: maxTextBytes },
  operation: {
    id: 'updateEpisode',
    summary: 'Changes the given fields of an episode',
    responses: ok(EpisodeDraft),
  },
  check(_http, { body, refuse }) {
    const changes = readChanges(body);
    refuse(...checkChanges(changes));
    return changes;
  },
  async handle(_http, { caller: { ctx }, params: { episodeId }, request, checked: changes }) {
    await updateEpisode(ctx, episodeId, changes, readExpectation(request));
    return answerDraft(ctx, episodeId);
  },
});

const deleteRoute = defineRoute({
  ...forSignedIn,
  method: 'DELETE',
  path,
  params,
  operation: { id: 'deleteEpisode', summary: 'Deletes an episode', responses: nothing },
  async handle(_http, { caller: { ctx }, params: { episodeId }, request }) {
    await deleteEpisode(ctx, episodeId, readExpectation(request));
    return answerNothing;
  },
});

const duplicateRoute = defineRoute({
  ...forSignedIn,
  method: 'POST',
  path: `${path}/duplicate`,
  params,
  body: { json: closed({}) },
  operation: {
    id: 'duplicateEpisode',
    summary: 'Makes a draft with the texts, picture and people of an episode',
    responses: created(EpisodeDraft),
  },
  async handle(_http, { caller: { ctx }, params: { episodeId } }) {
    const { id } = await duplicateEpisode(ctx, episodeId);
    return answerDraft(ctx, id);
  },
});

export const episodeRoutes: readonly Route[] = [
  createRoute,
  readRoute,
  updateRoute,
  deleteRoute,
  duplicateRoute,
];
