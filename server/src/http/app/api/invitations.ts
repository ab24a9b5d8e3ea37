import Type from 'typebox';
import { inviteMember, listInvitations, revokeInvitation } from '../../../domain/podcasts/index.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerData, answerNothing } from '../answers.ts';
import { presentInvitation } from '../present-team.ts';
import { data, ids } from '../schemas/fields.ts';
import { Invitation, InviteMember } from '../schemas/team.ts';
import { forSignedIn } from '../visitor.ts';

const invitationsPath = {
  path: '/app/api/podcasts/:podcastId/invitations',
  params: ids('podcastId'),
} as const;

export const invitationRoutes: readonly Route[] = [
  defineRoute({
    ...forSignedIn,
    ...invitationsPath,
    method: 'GET',
    answers: { 200: data(Type.Array(Invitation)) },
    async handle(_web, { caller: { ctx }, params: { podcastId } }) {
      return answerData((await listInvitations(ctx, podcastId)).map(presentInvitation));
    },
  }),
  defineRoute({
    ...forSignedIn,
    ...invitationsPath,
    method: 'POST',
    body: { json: InviteMember },
    answers: { 201: data(Invitation) },
    async handle(_web, { caller: { ctx }, params, body, reply }) {
      const { role_name: roleName, ...given } = body;
      const invitation = await inviteMember(ctx, { ...params, ...given, roleName });
      reply.code(201);
      return answerData(presentInvitation(invitation));
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'DELETE',
    path: '/app/api/podcasts/:podcastId/invitations/:invitationId',
    params: ids('podcastId', 'invitationId'),
    async handle(_web, { caller: { ctx }, params, reply }) {
      await revokeInvitation(ctx, params);
      return answerNothing(reply);
    },
  }),
];
