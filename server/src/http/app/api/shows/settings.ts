import {
  checkPodcast,
  editPodcast,
  type PodcastFields,
  type StartedPodcast,
  startPodcast,
} from '../../../../domain/publishing/podcasts/index.ts';
import { deleteOwnPodcast } from '../../../../domain/service/shows/index.ts';
import { domainNames } from '../../../../lib/wire-names.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { revised } from '../../response.ts';
import { readExpectation } from '../../revision.ts';
import { DeleteShow, EditShow, ShowSettings, StartShow } from '../../schemas/shows.ts';
import { readShow } from './read-show.ts';

const path = '/app/api/podcasts';

export const settingsRoutes: readonly Route[] = [
  defineEndpoint(`POST ${path}`, {
    id: 'createPodcast',
    summary: 'Creates a show; only a title is required',
    body: { json: StartShow },
    response: revised(ShowSettings, 201),
    check: (_http, { body, refuse }) => refuse(...checkPodcast(domainNames(body))),
    async handle({ ctx }, { body }) {
      const { id } = await startPodcast(ctx, domainNames(body) as StartedPodcast);
      return readShow(ctx, id);
    },
  }),
  defineEndpoint(`GET ${path}/:podcastId`, {
    id: 'getPodcast',
    summary: 'A show with everything that its members edit',
    response: revised(ShowSettings),
    handle: ({ ctx }, { params: { podcastId } }) => readShow(ctx, podcastId),
  }),
  defineEndpoint(`PATCH ${path}/:podcastId`, {
    id: 'editPodcast',
    summary: 'Changes the given fields of a show',
    body: { json: EditShow },
    response: revised(ShowSettings),
    check: (_http, { body, refuse }) => refuse(...checkPodcast(readFields(body))),
    async handle({ ctx }, { params: { podcastId }, body, request }) {
      await editPodcast(ctx, podcastId, readFields(body), readExpectation(request));
      return readShow(ctx, podcastId);
    },
  }),
  defineEndpoint(`DELETE ${path}/:podcastId`, {
    id: 'deletePodcast',
    summary: 'Deletes a show with all its episodes and files, for ever',
    body: { json: DeleteShow },
    handle({ ctx }, { params: { podcastId }, body, request }) {
      const { slug, current_password: currentPassword } = body;
      const expectation = readExpectation(request);
      return deleteOwnPodcast(ctx, podcastId, { slug, currentPassword, ...expectation });
    },
  }),
];

function readFields(body: object): Partial<PodcastFields> {
  return domainNames(body) as Partial<PodcastFields>;
}
