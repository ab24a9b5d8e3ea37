import Type from 'typebox';
import {
  changeMember,
  leavePodcast,
  listMembers,
  removeMember,
} from '../../../domain/podcasts/index.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerData, answerNothing } from '../answers.ts';
import { presentMember } from '../present-team.ts';
import { closed, data, ids } from '../schemas/fields.ts';
import { ChangeMember, Member } from '../schemas/team.ts';
import { forSignedIn } from '../visitor.ts';

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
    answers: { 200: data(Type.Array(Member)) },
    async handle(_web, { caller: { ctx }, params: { podcastId } }) {
      return answerData((await listMembers(ctx, podcastId)).map(presentMember));
    },
  }),
  defineRoute({
    ...forSignedIn,
    ...memberPath,
    method: 'PUT',
    body: { json: ChangeMember },
    async handle(_web, { caller: { ctx }, params, body, reply }) {
      const { role_name: roleName, ...given } = body;
      await changeMember(ctx, { ...params, ...given, roleName });
      return answerNothing(reply);
    },
  }),
  defineRoute({
    ...forSignedIn,
    ...memberPath,
    method: 'DELETE',
    async handle(_web, { caller: { ctx }, params, reply }) {
      await removeMember(ctx, params);
      return answerNothing(reply);
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'POST',
    path: '/app/api/podcasts/:podcastId/leave',
    params: ids('podcastId'),
    body: { json: closed({}) },
    async handle(_web, { caller: { ctx }, params: { podcastId }, reply }) {
      await leavePodcast(ctx, podcastId);
      return answerNothing(reply);
    },
  }),
];
