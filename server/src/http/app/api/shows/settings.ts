import { deleteOwnPodcast } from '../../../../domain/media/index.ts';
import {
  checkPodcast,
  editPodcast,
  type PodcastFields,
  type StartedPodcast,
  startPodcast,
} from '../../../../domain/podcasts/index.ts';
import { domainNames } from '../../../../lib/wire-names.ts';
import { defineRoute, type Route } from '../../../route.ts';
import { answerNothing } from '../../answers.ts';
import { forSignedIn } from '../../requester.ts';
import { created, nothing, ok } from '../../responses.ts';
import { readExpectation } from '../../revision.ts';
import { ids } from '../../schemas/fields.ts';
import { DeleteShow, EditShow, ShowSettings, StartShow } from '../../schemas/shows.ts';
import { answerShow } from './answer-show.ts';

const showPath = {
  ...forSignedIn,
  path: '/app/api/podcasts/:podcastId',
  params: ids('podcastId'),
} as const;

const startRoute = defineRoute({
  ...forSignedIn,
  method: 'POST',
  path: '/app/api/podcasts',
  body: { json: StartShow },
  operation: {
    id: 'createPodcast',
    summary: 'Makes a show of the user; a title is enough',
    responses: created(ShowSettings),
  },
  check: (_http, { body, refuse }) => refuse(...checkPodcast(domainNames(body))),
  async handle(_http, { caller: { ctx }, body }) {
    const { id } = await startPodcast(ctx, domainNames(body) as StartedPodcast);
    return answerShow(ctx, id);
  },
});

const readRoute = defineRoute({
  ...showPath,
  method: 'GET',
  operation: {
    id: 'getPodcast',
    summary: 'A show with everything that its members edit',
    responses: ok(ShowSettings),
  },
  handle: (_http, { caller: { ctx }, params: { podcastId } }) => answerShow(ctx, podcastId),
});

const editRoute = defineRoute({
  ...showPath,
  method: 'PATCH',
  body: { json: EditShow },
  operation: {
    id: 'editPodcast',
    summary: 'Changes the given fields of a show',
    responses: ok(ShowSettings),
  },
  check: (_http, { body, refuse }) => refuse(...checkPodcast(readFields(body))),
  async handle(_http, { caller: { ctx }, params: { podcastId }, body, request }) {
    await editPodcast(ctx, podcastId, readFields(body), readExpectation(request));
    return answerShow(ctx, podcastId);
  },
});

function readFields(body: object): Partial<PodcastFields> {
  return domainNames(body) as Partial<PodcastFields>;
}

const deleteRoute = defineRoute({
  ...showPath,
  method: 'DELETE',
  body: { json: DeleteShow },
  operation: {
    id: 'deletePodcast',
    summary: 'Deletes a show with all its episodes and files, for ever',
    responses: nothing,
  },
  async handle(_http, { caller: { ctx }, params: { podcastId }, body, request }) {
    const { slug, current_password: currentPassword } = body;
    const expectation = readExpectation(request);
    await deleteOwnPodcast(ctx, podcastId, { slug, currentPassword, ...expectation });
    return answerNothing;
  },
});

export const settingsRoutes: readonly Route[] = [startRoute, readRoute, editRoute, deleteRoute];
