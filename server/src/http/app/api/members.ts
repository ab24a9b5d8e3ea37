import Type from 'typebox';
import {
  changeMember,
  checkMember,
  leavePodcast,
  listMembers,
  removeMember,
} from '../../../domain/podcasts/index.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerData, answerNothing } from '../answers.ts';
import { presentHolder } from '../present.ts';
import { forSignedIn } from '../requester.ts';
import { nothing, ok } from '../responses.ts';
import { closed, ids } from '../schemas/fields.ts';
import { ChangeMember, Member } from '../schemas/team.ts';

const memberPath = {
  path: '/app/api/podcasts/:podcastId/members/:userId',
  params: ids('podcastId', 'userId'),
} as const;

export const memberRoutes: readonly Route[] = [
  defineRoute({
    ...forSignedIn,
    method: 'GET',
    path: '/app/api/podcasts/:podcastId/members',
    params: ids('podcastId'),
    operation: {
      id: 'listMembers',
      summary: 'The members of a podcast',
      responses: ok(Type.Array(Member)),
    },
    async handle(_http, { caller: { ctx }, params: { podcastId } }) {
      return answerData((await listMembers(ctx, podcastId)).map(presentHolder));
    },
  }),
  defineRoute({
    ...forSignedIn,
    ...memberPath,
    method: 'PUT',
    body: { json: ChangeMember },
    operation: { id: 'changeMember', summary: 'Gives a member another role', responses: nothing },
    check(_http, { body: { role_name: roleName, ...given }, refuse }) {
      refuse(...checkMember({ ...given, roleName }));
    },
    async handle(_http, { caller: { ctx }, params, body }) {
      const { role_name: roleName, ...given } = body;
      await changeMember(ctx, { ...params, ...given, roleName });
      return answerNothing;
    },
  }),
  defineRoute({
    ...forSignedIn,
    ...memberPath,
    method: 'DELETE',
    operation: { id: 'removeMember', summary: 'Removes a member', responses: nothing },
    async handle(_http, { caller: { ctx }, params }) {
      await removeMember(ctx, params);
      return answerNothing;
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'POST',
    path: '/app/api/podcasts/:podcastId/leave',
    params: ids('podcastId'),
    body: { json: closed({}) },
    operation: { id: 'leavePodcast', summary: 'Leaves a podcast', responses: nothing },
    async handle(_http, { caller: { ctx }, params: { podcastId } }) {
      await leavePodcast(ctx, podcastId);
      return answerNothing;
    },
  }),
];
