import { readFirstSteps } from '../../../../domain/home/index.ts';
import { wireNames } from '../../../../lib/wire-names.ts';
import { defineRoute } from '../../../route.ts';
import { answerData } from '../../answers.ts';
import { forSignedIn } from '../../requester.ts';
import { ok } from '../../responses.ts';
import { ids } from '../../schemas/fields.ts';
import { FirstSteps } from '../../schemas/home.ts';

export const firstStepsRoute = defineRoute({
  ...forSignedIn,
  method: 'GET',
  path: '/app/api/podcasts/:podcastId/first-steps',
  params: ids('podcastId'),
  operation: {
    id: 'getFirstSteps',
    summary: 'What a new show needs until it has listeners, and what of it is done',
    responses: ok(FirstSteps),
  },
  async handle(_http, { caller: { ctx }, params: { podcastId } }) {
    return answerData({ steps: wireNames(await readFirstSteps(ctx, podcastId)) });
  },
});
