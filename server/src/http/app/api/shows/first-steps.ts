import { readFirstSteps } from '../../../../domain/service/home/index.ts';
import { wireNames } from '../../../../lib/wire-names.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { ok } from '../../response.ts';
import { FirstSteps } from '../../schemas/home.ts';

export const firstStepsRoute = defineEndpoint('GET /app/api/podcasts/:podcastId/first-steps', {
  id: 'getFirstSteps',
  summary: 'The steps that a new show needs to get listeners, and which are done',
  response: ok(FirstSteps),
  handle: async ({ ctx }, { params: { podcastId } }) => ({
    steps: wireNames(await readFirstSteps(ctx, podcastId)),
  }),
});
