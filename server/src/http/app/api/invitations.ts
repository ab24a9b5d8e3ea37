import Type from 'typebox';
import {
  checkInvitation,
  inviteMember,
  listInvitations,
  revokeInvitation,
} from '../../../domain/podcasts/index.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerData, answerNothing } from '../answers.ts';
import { presentHolder } from '../present.ts';
import { forSignedIn } from '../requester.ts';
import { created, nothing, ok } from '../responses.ts';
import { ids } from '../schemas/fields.ts';
import { Invitation, InviteMember } from '../schemas/team.ts';

const invitationsPath = {
  path: '/app/api/podcasts/:podcastId/invitations',
  params: ids('podcastId'),
} as const;

export const invitationRoutes: readonly Route[] = [
  defineRoute({
    ...forSignedIn,
    ...invitationsPath,
    method: 'GET',
    operation: {
      id: 'listInvitations',
      summary: 'The open invitations to a podcast',
      responses: ok(Type.Array(Invitation)),
    },
    async handle(_http, { caller: { ctx }, params: { podcastId } }) {
      return answerData((await listInvitations(ctx, podcastId)).map(presentHolder));
    },
  }),
  defineRoute({
    ...forSignedIn,
    ...invitationsPath,
    method: 'POST',
    body: { json: InviteMember },
    operation: {
      id: 'inviteMember',
      summary: 'Invites somebody to a podcast',
      responses: created(Invitation),
    },
    check(_http, { body: { role_name: roleName, ...given }, refuse }) {
      refuse(...checkInvitation({ ...given, roleName }));
    },
    async handle(_http, { caller: { ctx }, params, body }) {
      const { role_name: roleName, ...given } = body;
      const invitation = await inviteMember(ctx, { ...params, ...given, roleName });
      return answerData(presentHolder(invitation));
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'DELETE',
    path: '/app/api/podcasts/:podcastId/invitations/:invitationId',
    params: ids('podcastId', 'invitationId'),
    operation: { id: 'revokeInvitation', summary: 'Takes an invitation back', responses: nothing },
    async handle(_http, { caller: { ctx }, params }) {
      await revokeInvitation(ctx, params);
      return answerNothing;
    },
  }),
];
