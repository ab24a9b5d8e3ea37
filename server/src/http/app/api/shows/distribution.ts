import type { Context } from '../../../../domain/context.ts';
import {
  checkListings,
  readHealth,
  readListings,
  setListings,
} from '../../../../domain/distribution/index.ts';
import { readPodcast } from '../../../../domain/podcasts/index.ts';
import { wireNames } from '../../../../lib/wire-names.ts';
import { type Answer, defineRoute, type Route } from '../../../route.ts';
import { answerData } from '../../answers.ts';
import { forSignedIn } from '../../requester.ts';
import { ok } from '../../responses.ts';
import { answerRevision, readExpectation } from '../../revision.ts';
import { Directories, Health, SetDirectories } from '../../schemas/distribution.ts';
import { ids } from '../../schemas/fields.ts';

const path = '/app/api/podcasts/:podcastId';
const shared = { ...forSignedIn, params: ids('podcastId') } as const;

const healthRoute = defineRoute({
  ...shared,
  method: 'GET',
  path: `${path}/health`,
  operation: {
    id: 'getPodcastHealth',
    summary: 'What apps and directories may object to in a show and its episodes',
    responses: ok(Health),
  },
  async handle(_http, { caller: { ctx }, params: { podcastId } }) {
    return answerData(wireNames(await readHealth(ctx, podcastId)));
  },
});

const listRoute = defineRoute({
  ...shared,
  method: 'GET',
  path: `${path}/directories`,
  operation: {
    id: 'listDirectories',
    summary: 'Every directory, how a show gets there, and how far it has come',
    responses: ok(Directories),
  },
  handle: (_http, { caller: { ctx }, params: { podcastId } }) => answerListings(ctx, podcastId),
});

const setRoute = defineRoute({
  ...shared,
  method: 'PUT',
  path: `${path}/directories`,
  body: { json: SetDirectories },
  operation: {
    id: 'setDirectories',
    summary: 'Sets how far a show has come in each directory; those left out are to do',
    responses: ok(Directories),
  },
  check(_http, { body, refused, refuse }) {
    if (refused.size === 0) refuse(...checkListings(body.directories ?? []));
  },
  async handle(_http, { caller: { ctx }, params: { podcastId }, body, request }) {
    await setListings(ctx, podcastId, body.directories, readExpectation(request));
    return answerListings(ctx, podcastId);
  },
});

async function answerListings(ctx: Context, podcastId: string): Promise<Answer> {
  const { revision } = await readPodcast(ctx, podcastId);
  const body = { revision, directories: wireNames(await readListings(ctx, podcastId)) };
  return answerRevision(body);
}

export const distributionRoutes: readonly Route[] = [healthRoute, listRoute, setRoute];
