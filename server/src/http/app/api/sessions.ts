import Type from 'typebox';
import { endOtherSessions, endSession, listSessions } from '../../../domain/sessions/index.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerData, answerNothing } from '../answers.ts';
import { presentSession } from '../present.ts';
import { data, ids } from '../schemas/fields.ts';
import { Session } from '../schemas/sessions.ts';
import { forSignedIn } from '../visitor.ts';

export const sessionRoutes: readonly Route[] = [
  defineRoute({
    ...forSignedIn,
    method: 'GET',
    path: '/app/api/sessions',
    answers: { 200: data(Type.Array(Session)) },
    async handle(_web, { caller: { ctx, session } }) {
      const sessions = await listSessions(ctx);
      return answerData(sessions.map((each) => presentSession(each, session.id)));
    },
  }),
  // All but the one that asks.
  defineRoute({
    ...forSignedIn,
    method: 'DELETE',
    path: '/app/api/sessions',
    async handle(_web, { caller: { ctx, session }, reply }) {
      await endOtherSessions(ctx, session.id);
      return answerNothing(reply);
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'DELETE',
    path: '/app/api/sessions/:sessionId',
    params: ids('sessionId'),
    async handle(_web, { caller: { ctx }, params: { sessionId }, reply }) {
      await endSession(ctx, sessionId);
      return answerNothing(reply);
    },
  }),
];
