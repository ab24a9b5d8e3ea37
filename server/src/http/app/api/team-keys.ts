import { cutOffPodcastKeys } from '../../../domain/access/keys/index.ts';
import { setTeamKeys } from '../../../domain/publishing/podcasts/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { ok } from '../response.ts';
import { CutOff, SetTeamKeys } from '../schemas/team.ts';

const path = '/app/api/podcasts/:podcastId';

export const teamKeyRoutes: readonly Route[] = [
  defineEndpoint(`PUT ${path}/team-keys`, {
    id: 'setTeamKeys',
    summary: 'Sets whether members may use keys',
    body: { json: SetTeamKeys },
    handle: ({ ctx }, { params, body }) => setTeamKeys(ctx, { ...params, ...body }),
  }),
  // Existing keys lose access to the podcast for good; keys created later are not affected.
  defineEndpoint(`POST ${path}/keys/cut-off`, {
    id: 'cutOffKeys',
    summary: 'Removes the podcast from all existing keys, permanently',
    response: ok(CutOff),
    handle: async ({ ctx }, { params: { podcastId } }) =>
      wireNames(await cutOffPodcastKeys(ctx, podcastId)),
  }),
];
