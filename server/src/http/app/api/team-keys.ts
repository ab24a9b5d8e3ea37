import { cutOffPodcastKeys } from '../../../domain/keys/index.ts';
import { setTeamKeys } from '../../../domain/podcasts/index.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerData, answerNothing } from '../answers.ts';
import { forSignedIn } from '../requester.ts';
import { nothing, ok } from '../responses.ts';
import { closed, ids } from '../schemas/fields.ts';
import { CutOff, SetTeamKeys } from '../schemas/team.ts';

export const teamKeyRoutes: readonly Route[] = [
  defineRoute({
    ...forSignedIn,
    method: 'PUT',
    path: '/app/api/podcasts/:podcastId/team-keys',
    params: ids('podcastId'),
    body: { json: SetTeamKeys },
    operation: {
      id: 'setTeamKeys',
      summary: 'Sets whether members may use keys',
      responses: nothing,
    },
    async handle(_http, { caller: { ctx }, params: { podcastId }, body: { allowed } }) {
      await setTeamKeys(ctx, { podcastId, allowed });
      return answerNothing;
    },
  }),
  // Existing keys lose access to the podcast for good; keys created later are not affected.
  defineRoute({
    ...forSignedIn,
    method: 'POST',
    path: '/app/api/podcasts/:podcastId/keys/cut-off',
    params: ids('podcastId'),
    body: { json: closed({}) },
    operation: {
      id: 'cutOffKeys',
      summary: 'Takes the podcast from every key there is, for good',
      responses: ok(CutOff),
    },
    async handle(_http, { caller: { ctx }, params: { podcastId } }) {
      const { blockedKeys, revokedKeys } = await cutOffPodcastKeys(ctx, podcastId);
      return answerData({ blocked_keys: blockedKeys, revoked_keys: revokedKeys });
    },
  }),
];
