import { cutOffPodcastKeys } from '../../../domain/keys/index.ts';
import { setTeamKeys } from '../../../domain/podcasts/index.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerData, answerNothing } from '../answers.ts';
import { closed, data, ids } from '../schemas/fields.ts';
import { CutOff, SetTeamKeys } from '../schemas/team.ts';
import { forSignedIn } from '../visitor.ts';

export const teamKeyRoutes: readonly Route[] = [
  // Whether members may use keys.
  defineRoute({
    ...forSignedIn,
    method: 'PUT',
    path: '/app/api/podcasts/:podcastId/team-keys',
    params: ids('podcastId'),
    body: { json: SetTeamKeys },
    async handle(_web, { caller: { ctx }, params: { podcastId }, body: { allowed }, reply }) {
      await setTeamKeys(ctx, { podcastId, allowed });
      return answerNothing(reply);
    },
  }),
  // Every key there is loses the podcast for good; keys made afterwards are not concerned.
  defineRoute({
    ...forSignedIn,
    method: 'POST',
    path: '/app/api/podcasts/:podcastId/keys/cut-off',
    params: ids('podcastId'),
    body: { json: closed({}) },
    answers: { 200: data(CutOff) },
    async handle(_web, { caller: { ctx }, params: { podcastId } }) {
      const { blockedKeys, revokedKeys } = await cutOffPodcastKeys(ctx, podcastId);
      return answerData({ blocked_keys: blockedKeys, revoked_keys: revokedKeys });
    },
  }),
];
