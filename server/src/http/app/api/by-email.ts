import { acceptOwnership } from '../../../domain/keys/index.ts';
import {
  acceptInvitation,
  declineInvitation,
  declineOwnership,
  getInvitation,
  getOwnershipOffer,
} from '../../../domain/podcasts/index.ts';
import { signUpByInvitation } from '../../../domain/sessions/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerData, answerNothing } from '../answers.ts';
import { keepSession } from '../carry-session.ts';
import { presentHolder } from '../present.ts';
import { forAnyRequester, forSignedIn } from '../requester.ts';
import { nothing, ok } from '../responses.ts';
import {
  AcceptOwnership,
  ByEmail,
  JoinBySignUp,
  Joined,
  ReceivedInvitation,
  ReceivedOffer,
} from '../schemas/team.ts';

/**
 * Invitations and offers. The token of the email is enough to view and decline; it always comes in
 * a body, because URLs are logged.
 */
const invitationRoutes: readonly Route[] = [
  defineRoute({
    ...forAnyRequester,
    method: 'POST',
    path: '/app/api/invitation',
    body: { json: ByEmail },
    operation: {
      id: 'getInvitation',
      summary: 'What an email invites to',
      responses: ok(ReceivedInvitation),
    },
    async handle(_http, { caller: { ctx }, body: { token } }) {
      return answerData(presentHolder(await getInvitation(ctx, token)));
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'POST',
    path: '/app/api/invitation/accept',
    body: { json: ByEmail },
    operation: { id: 'acceptInvitation', summary: 'Joins the podcast', responses: ok(Joined) },
    async handle(_http, { caller: { ctx }, body: { token } }) {
      return answerData({ podcast_id: (await acceptInvitation(ctx, token)).podcastId });
    },
  }),
  defineRoute({
    ...forAnyRequester,
    method: 'POST',
    path: '/app/api/invitation/sign-up',
    body: { json: JoinBySignUp },
    operation: {
      id: 'joinBySignUp',
      summary: 'Makes an account for the invited address, and joins',
      responses: nothing,
    },
    async handle(_http, { caller: { ctx, client }, body, reply }) {
      const { accepts_terms: acceptsTerms, ...given } = body;
      keepSession(ctx, reply, await signUpByInvitation(ctx, { ...given, acceptsTerms, client }));
      return answerNothing;
    },
  }),
  defineRoute({
    ...forAnyRequester,
    method: 'POST',
    path: '/app/api/invitation/decline',
    body: { json: ByEmail },
    operation: { id: 'declineInvitation', summary: 'Declines an invitation', responses: nothing },
    async handle(_http, { caller: { ctx }, body: { token } }) {
      await declineInvitation(ctx, token);
      return answerNothing;
    },
  }),
];

const offerRoutes: readonly Route[] = [
  defineRoute({
    ...forAnyRequester,
    method: 'POST',
    path: '/app/api/ownership',
    body: { json: ByEmail },
    operation: {
      id: 'getReceivedOffer',
      summary: 'The ownership that an email offers',
      responses: ok(ReceivedOffer),
    },
    async handle(_http, { caller: { ctx }, body: { token } }) {
      return answerData(wireNames(await getOwnershipOffer(ctx, token)));
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'POST',
    path: '/app/api/ownership/accept',
    body: { json: AcceptOwnership },
    operation: { id: 'acceptOwnership', summary: 'Takes a podcast over', responses: ok(Joined) },
    async handle(_http, { caller: { ctx }, body: { token, team_keys: teamKeys } }) {
      const { podcastId } = await acceptOwnership(ctx, { token, teamKeys });
      return answerData({ podcast_id: podcastId });
    },
  }),
  defineRoute({
    ...forAnyRequester,
    method: 'POST',
    path: '/app/api/ownership/decline',
    body: { json: ByEmail },
    operation: {
      id: 'declineOwnership',
      summary: 'Declines an offered ownership',
      responses: nothing,
    },
    async handle(_http, { caller: { ctx }, body: { token } }) {
      await declineOwnership(ctx, token);
      return answerNothing;
    },
  }),
];

export const byEmailRoutes: readonly Route[] = [...invitationRoutes, ...offerRoutes];
