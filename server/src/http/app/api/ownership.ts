import {
  findOwnershipOffer,
  offerOwnership,
  withdrawOwnership,
} from '../../../domain/podcasts/index.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerData, answerNothing } from '../answers.ts';
import { presentLetter } from '../present-team.ts';
import { data, ids } from '../schemas/fields.ts';
import { OfferOwnership, OwnershipOffer } from '../schemas/team.ts';
import { forSignedIn } from '../visitor.ts';

const offerPath = {
  ...forSignedIn,
  path: '/app/api/podcasts/:podcastId/ownership-offer',
  params: ids('podcastId'),
} as const;

export const ownershipRoutes: readonly Route[] = [
  defineRoute({
    ...offerPath,
    method: 'GET',
    answers: { 200: data(OwnershipOffer) },
    async handle(_web, { caller: { ctx }, params: { podcastId } }) {
      const offer = await findOwnershipOffer(ctx, podcastId);
      return answerData(offer === undefined ? null : presentLetter(offer));
    },
  }),
  defineRoute({
    ...offerPath,
    method: 'POST',
    body: { json: OfferOwnership },
    answers: { 201: data(OwnershipOffer) },
    async handle(_web, { caller: { ctx }, params: { podcastId }, body, reply }) {
      const { email, current_password: currentPassword } = body;
      const offer = await offerOwnership(ctx, { podcastId, email, currentPassword });
      reply.code(201);
      return answerData(presentLetter(offer));
    },
  }),
  defineRoute({
    ...offerPath,
    method: 'DELETE',
    async handle(_web, { caller: { ctx }, params: { podcastId }, reply }) {
      await withdrawOwnership(ctx, podcastId);
      return answerNothing(reply);
    },
  }),
];
