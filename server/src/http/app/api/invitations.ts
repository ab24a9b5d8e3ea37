import Type from 'typebox';
import {
  checkInvitation,
  inviteMember,
  listInvitations,
  revokeInvitation,
} from '../../../domain/publishing/podcasts/index.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { presentHolder } from '../present.ts';
import { created, ok } from '../response.ts';
import { Invitation, InviteMember } from '../schemas/team.ts';

const path = '/app/api/podcasts/:podcastId/invitations';

export const invitationRoutes: readonly Route[] = [
  defineEndpoint(`GET ${path}`, {
    id: 'listInvitations',
    summary: 'The open invitations to a podcast',
    response: ok(Type.Array(Invitation)),
    handle: async ({ ctx }, { params: { podcastId } }) =>
      (await listInvitations(ctx, podcastId)).map(presentHolder),
  }),
  defineEndpoint(`POST ${path}`, {
    id: 'inviteMember',
    summary: 'Invites someone to a podcast',
    body: { json: InviteMember },
    response: created(Invitation),
    check(_http, { body: { role_name: roleName, ...given }, refuse }) {
      refuse(...checkInvitation({ ...given, roleName }));
    },
    async handle({ ctx }, { params, body: { role_name: roleName, ...given } }) {
      return presentHolder(await inviteMember(ctx, { ...params, ...given, roleName }));
    },
  }),
  defineEndpoint(`DELETE ${path}/:invitationId`, {
    id: 'revokeInvitation',
    summary: 'Withdraws an invitation',
    handle: ({ ctx }, { params }) => revokeInvitation(ctx, params),
  }),
];
