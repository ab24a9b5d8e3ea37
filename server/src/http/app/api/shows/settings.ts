import type { Context } from '../../../../domain/foundation/context.ts';
import { setPodcastArtwork } from '../../../../domain/publishing/images/index.ts';
import {
  checkPodcast,
  editPodcast,
  type PodcastFields,
  readPodcastSettings,
  type StartedPodcast,
  startPodcast,
} from '../../../../domain/publishing/podcasts/index.ts';
import { readFirstSteps } from '../../../../domain/service/home/index.ts';
import { deleteOwnPodcast } from '../../../../domain/service/shows/index.ts';
import { domainNames, wireNames } from '../../../../lib/wire-names.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { presentShow } from '../../present-show.ts';
import { ok, revised } from '../../response.ts';
import { readExpectation } from '../../revision.ts';
import { FirstSteps } from '../../schemas/home.ts';
import { DeleteShow, EditShow, ShowSettings, StartShow } from '../../schemas/shows.ts';

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
    summary: 'Permanently deletes a show with all its episodes and files',
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

/** The current show with its revision, which answers every write. */
export async function readShow(ctx: Context, podcastId: string) {
  return presentShow(ctx.installation, await readPodcastSettings(ctx, podcastId));
}

export const artworkRoute = defineEndpoint('DELETE /app/api/podcasts/:podcastId/artwork', {
  id: 'removePodcastArtwork',
  summary: 'Removes the artwork of a show',
  response: revised(ShowSettings),
  async handle({ ctx }, { params: { podcastId }, request }) {
    await setPodcastArtwork(ctx, podcastId, null, readExpectation(request));
    return readShow(ctx, podcastId);
  },
});

export const firstStepsRoute = defineEndpoint('GET /app/api/podcasts/:podcastId/first-steps', {
  id: 'getFirstSteps',
  summary: 'The steps that a new show needs to find listeners, and which are done',
  response: ok(FirstSteps),
  handle: async ({ ctx }, { params: { podcastId } }) => ({
    steps: wireNames(await readFirstSteps(ctx, podcastId)),
  }),
});
