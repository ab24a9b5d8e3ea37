import Type from 'typebox';
import { endOtherSessions, endSession, listSessions } from '../../../domain/sessions/index.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerData, answerNothing } from '../answers.ts';
import { presentSession } from '../present.ts';
import { forSignedIn } from '../requester.ts';
import { nothing, ok } from '../responses.ts';
import { ids } from '../schemas/fields.ts';
import { Session } from '../schemas/sessions.ts';

export const sessionRoutes: readonly Route[] = [
  defineRoute({
    ...forSignedIn,
    method: 'GET',
    path: '/app/api/sessions',
    operation: {
      id: 'listSessions',
      summary: 'Where the user is signed in',
      responses: ok(Type.Array(Session)),
    },
    async handle(_http, { caller: { ctx, session } }) {
      const sessions = await listSessions(ctx);
      return answerData(sessions.map((each) => presentSession(each, session.id)));
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'DELETE',
    path: '/app/api/sessions',
    operation: {
      id: 'endOtherSessions',
      summary: 'Ends all sessions but the one that asks',
      responses: nothing,
    },
    async handle(_http, { caller: { ctx, session } }) {
      await endOtherSessions(ctx, session.id);
      return answerNothing;
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'DELETE',
    path: '/app/api/sessions/:sessionId',
    params: ids('sessionId'),
    operation: { id: 'endSession', summary: 'Ends a session', responses: nothing },
    async handle(_http, { caller: { ctx }, params: { sessionId } }) {
      await endSession(ctx, sessionId);
      return answerNothing;
    },
  }),
];
