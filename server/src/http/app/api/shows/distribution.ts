import type { Context } from '../../../../domain/foundation/context.ts';
import {
  checkListings,
  readHealth,
  readListings,
  setListings,
} from '../../../../domain/publishing/distribution/index.ts';
import { readPodcast } from '../../../../domain/publishing/podcasts/index.ts';
import { wireNames } from '../../../../lib/wire-names.ts';
import type { Route } from '../../../route.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { ok, revised } from '../../response.ts';
import { readExpectation } from '../../revision.ts';
import { Directories, Health, SetDirectories } from '../../schemas/distribution.ts';

const path = '/app/api/podcasts/:podcastId';

export const distributionRoutes: readonly Route[] = [
  defineEndpoint(`GET ${path}/health`, {
    id: 'getPodcastHealth',
    summary: 'Problems that apps and directories may find in a show and its episodes',
    response: ok(Health),
    handle: async ({ ctx }, { params: { podcastId } }) =>
      wireNames(await readHealth(ctx, podcastId)),
  }),
  defineEndpoint(`GET ${path}/directories`, {
    id: 'listDirectories',
    summary: 'All directories, how a show is submitted to each, and its state there',
    response: revised(Directories),
    handle: ({ ctx }, { params: { podcastId } }) => readDirectories(ctx, podcastId),
  }),
  defineEndpoint(`PUT ${path}/directories`, {
    id: 'setDirectories',
    summary: 'Sets the state of a show in each directory; omitted ones become "to do"',
    body: { json: SetDirectories },
    response: revised(Directories),
    check(_http, { body, refused, refuse }) {
      if (refused.size === 0) refuse(...checkListings(body.directories ?? []));
    },
    async handle({ ctx }, { params: { podcastId }, body, request }) {
      await setListings(ctx, podcastId, body.directories, readExpectation(request));
      return readDirectories(ctx, podcastId);
    },
  }),
];

async function readDirectories(ctx: Context, podcastId: string) {
  const { revision } = await readPodcast(ctx, podcastId);
  return { revision, directories: wireNames(await readListings(ctx, podcastId)) };
}
