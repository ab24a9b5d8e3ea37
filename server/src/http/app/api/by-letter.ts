import {
  acceptInvitation,
  acceptOwnership,
  declineInvitation,
  declineOwnership,
  getInvitation,
  getOwnershipOffer,
} from '../../../domain/podcasts/index.ts';
import { signUpByInvitation } from '../../../domain/sessions/index.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerData, answerNothing } from '../answers.ts';
import { keepSession } from '../carry-session.ts';
import { presentReceivedInvitation, presentReceivedOffer } from '../present-team.ts';
import { data } from '../schemas/fields.ts';
import {
  AcceptOwnership,
  ByLetter,
  JoinBySignUp,
  Joined,
  ReceivedInvitation,
  ReceivedOffer,
} from '../schemas/team.ts';
import { forSignedIn, forVisitors } from '../visitor.ts';

/**
 * What a letter invites to or offers. Its token is the right to look and to decline; it comes in a
 * body even where it only asks, because addresses end in logs.
 */
const invitationRoutes: readonly Route[] = [
  defineRoute({
    ...forVisitors,
    method: 'POST',
    path: '/app/api/invitation',
    body: { json: ByLetter },
    answers: { 200: data(ReceivedInvitation) },
    async handle(_web, { caller: { ctx }, body: { token } }) {
      return answerData(presentReceivedInvitation(await getInvitation(ctx, token)));
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'POST',
    path: '/app/api/invitation/accept',
    body: { json: ByLetter },
    answers: { 200: data(Joined) },
    async handle(_web, { caller: { ctx }, body: { token } }) {
      return answerData({ podcast_id: (await acceptInvitation(ctx, token)).podcastId });
    },
  }),
  // For an address without an account.
  defineRoute({
    ...forVisitors,
    method: 'POST',
    path: '/app/api/invitation/sign-up',
    body: { json: JoinBySignUp },
    async handle(_web, { caller: { ctx, client }, body, reply }) {
      const { accepts_terms: acceptsTerms, ...given } = body;
      keepSession(ctx, reply, await signUpByInvitation(ctx, { ...given, acceptsTerms, client }));
      return answerNothing(reply);
    },
  }),
  defineRoute({
    ...forVisitors,
    method: 'POST',
    path: '/app/api/invitation/decline',
    body: { json: ByLetter },
    async handle(_web, { caller: { ctx }, body: { token }, reply }) {
      await declineInvitation(ctx, token);
      return answerNothing(reply);
    },
  }),
];

const offerRoutes: readonly Route[] = [
  defineRoute({
    ...forVisitors,
    method: 'POST',
    path: '/app/api/ownership',
    body: { json: ByLetter },
    answers: { 200: data(ReceivedOffer) },
    async handle(_web, { caller: { ctx }, body: { token } }) {
      return answerData(presentReceivedOffer(await getOwnershipOffer(ctx, token)));
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'POST',
    path: '/app/api/ownership/accept',
    body: { json: AcceptOwnership },
    answers: { 200: data(Joined) },
    async handle(_web, { caller: { ctx }, body: { token, team_keys: teamKeys } }) {
      const { podcastId } = await acceptOwnership(ctx, { token, teamKeys });
      return answerData({ podcast_id: podcastId });
    },
  }),
  defineRoute({
    ...forVisitors,
    method: 'POST',
    path: '/app/api/ownership/decline',
    body: { json: ByLetter },
    async handle(_web, { caller: { ctx }, body: { token }, reply }) {
      await declineOwnership(ctx, token);
      return answerNothing(reply);
    },
  }),
];

export const byLetterRoutes: readonly Route[] = [...invitationRoutes, ...offerRoutes];
