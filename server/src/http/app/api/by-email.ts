import { signUpByInvitation } from '../../../domain/access/sessions/index.ts';
import {
  acceptInvitation,
  declineInvitation,
  declineOwnership,
  getInvitation,
  getOwnershipOffer,
} from '../../../domain/publishing/podcasts/index.ts';
import { acceptOwnership } from '../../../domain/service/shows/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint, defineOpenEndpoint } from '../endpoint.ts';
import { presentHolder } from '../present.ts';
import { ok } from '../response.ts';
import {
  AcceptOwnership,
  ByEmail,
  JoinBySignUp,
  Joined,
  ReceivedInvitation,
  ReceivedOffer,
} from '../schemas/team.ts';
import { setSession } from '../set-session.ts';

/**
 * Invitations and offers. The token of the email is enough to view and decline; it always comes in
 * a body, because URLs are logged.
 */
export const byEmailRoutes: readonly Route[] = [
  defineOpenEndpoint('POST /app/api/invitation', {
    id: 'getInvitation',
    summary: 'The invitation that an email contains',
    body: { json: ByEmail },
    response: ok(ReceivedInvitation),
    handle: async ({ ctx }, { body: { token } }) => presentHolder(await getInvitation(ctx, token)),
  }),
  defineEndpoint('POST /app/api/invitation/accept', {
    id: 'acceptInvitation',
    summary: 'Joins the podcast',
    body: { json: ByEmail },
    response: ok(Joined),
    handle: async ({ ctx }, { body: { token } }) => wireNames(await acceptInvitation(ctx, token)),
  }),
  defineOpenEndpoint('POST /app/api/invitation/sign-up', {
    id: 'joinBySignUp',
    summary: 'Creates an account for the invited address, and joins',
    body: { json: JoinBySignUp },
    async handle({ ctx, client }, { body, reply }) {
      const { accepts_terms: acceptsTerms, ...given } = body;
      setSession(ctx, reply, await signUpByInvitation(ctx, { ...given, acceptsTerms, client }));
    },
  }),
  defineOpenEndpoint('POST /app/api/invitation/decline', {
    id: 'declineInvitation',
    summary: 'Declines an invitation',
    body: { json: ByEmail },
    handle: ({ ctx }, { body: { token } }) => declineInvitation(ctx, token),
  }),
  defineOpenEndpoint('POST /app/api/ownership', {
    id: 'getReceivedOffer',
    summary: 'The ownership that an email offers',
    body: { json: ByEmail },
    response: ok(ReceivedOffer),
    handle: async ({ ctx }, { body: { token } }) => wireNames(await getOwnershipOffer(ctx, token)),
  }),
  defineEndpoint('POST /app/api/ownership/accept', {
    id: 'acceptOwnership',
    summary: 'Takes a podcast over',
    body: { json: AcceptOwnership },
    response: ok(Joined),
    handle: async ({ ctx }, { body: { token, team_keys: teamKeys } }) =>
      wireNames(await acceptOwnership(ctx, { token, teamKeys })),
  }),
  defineOpenEndpoint('POST /app/api/ownership/decline', {
    id: 'declineOwnership',
    summary: 'Declines an offered ownership',
    body: { json: ByEmail },
    handle: ({ ctx }, { body: { token } }) => declineOwnership(ctx, token),
  }),
];
