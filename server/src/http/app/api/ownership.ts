import {
  findOwnershipOffer,
  offerOwnership,
  withdrawOwnership,
} from '../../../domain/podcasts/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerData, answerNothing } from '../answers.ts';
import { forSignedIn } from '../requester.ts';
import { created, nothing, ok } from '../responses.ts';
import { ids } from '../schemas/fields.ts';
import { OfferOwnership, OwnershipOffer } from '../schemas/team.ts';

const offerPath = {
  ...forSignedIn,
  path: '/app/api/podcasts/:podcastId/ownership-offer',
  params: ids('podcastId'),
} as const;

export const ownershipRoutes: readonly Route[] = [
  defineRoute({
    ...offerPath,
    method: 'GET',
    operation: {
      id: 'getOwnershipOffer',
      summary: 'The open offer of a podcast, or null',
      responses: ok(OwnershipOffer),
    },
    async handle(_http, { caller: { ctx }, params: { podcastId } }) {
      const offer = await findOwnershipOffer(ctx, podcastId);
      return answerData(offer === undefined ? null : wireNames(offer));
    },
  }),
  defineRoute({
    ...offerPath,
    method: 'POST',
    body: { json: OfferOwnership },
    operation: {
      id: 'offerOwnership',
      summary: 'Offers a podcast to somebody',
      responses: created(OwnershipOffer),
    },
    async handle(_http, { caller: { ctx }, params: { podcastId }, body }) {
      const { email, current_password: currentPassword } = body;
      const offer = await offerOwnership(ctx, { podcastId, email, currentPassword });
      return answerData(wireNames(offer));
    },
  }),
  defineRoute({
    ...offerPath,
    method: 'DELETE',
    operation: { id: 'withdrawOwnership', summary: 'Takes the offer back', responses: nothing },
    async handle(_http, { caller: { ctx }, params: { podcastId } }) {
      await withdrawOwnership(ctx, podcastId);
      return answerNothing;
    },
  }),
];
