import {
  findOwnershipOffer,
  offerOwnership,
  withdrawOwnership,
} from '../../../domain/publishing/podcasts/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { created, ok } from '../response.ts';
import { OfferOwnership, OwnershipOffer } from '../schemas/team.ts';

const path = '/app/api/podcasts/:podcastId/ownership-offer';

export const ownershipRoutes: readonly Route[] = [
  defineEndpoint(`GET ${path}`, {
    id: 'getOwnershipOffer',
    summary: "The podcast's open transfer offer, or null",
    response: ok(OwnershipOffer),
    handle: async ({ ctx }, { params: { podcastId } }) =>
      wireNames((await findOwnershipOffer(ctx, podcastId)) ?? null),
  }),
  defineEndpoint(`POST ${path}`, {
    id: 'offerOwnership',
    summary: 'Offers a podcast to someone',
    body: { json: OfferOwnership },
    response: created(OwnershipOffer),
    async handle({ ctx }, { params, body: { email, current_password: currentPassword } }) {
      return wireNames(await offerOwnership(ctx, { ...params, email, currentPassword }));
    },
  }),
  defineEndpoint(`DELETE ${path}`, {
    id: 'withdrawOwnership',
    summary: 'Withdraws the offer',
    handle: ({ ctx }, { params: { podcastId } }) => withdrawOwnership(ctx, podcastId),
  }),
];
