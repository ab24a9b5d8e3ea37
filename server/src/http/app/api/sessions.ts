import Type from 'typebox';
import {
  endOtherSessions,
  endSession,
  listSessions,
} from '../../../domain/access/sessions/index.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { presentSession } from '../present.ts';
import { ok } from '../response.ts';
import { Session } from '../schemas/sessions.ts';

export const sessionRoutes: readonly Route[] = [
  defineEndpoint('GET /app/api/sessions', {
    id: 'listSessions',
    summary: 'Where the user is signed in',
    response: ok(Type.Array(Session)),
    handle: async ({ ctx, session }) =>
      (await listSessions(ctx)).map((each) => presentSession(each, session.id)),
  }),
  defineEndpoint('DELETE /app/api/sessions', {
    id: 'endOtherSessions',
    summary: 'Ends all sessions except the one of this request',
    handle: ({ ctx, session }) => endOtherSessions(ctx, session.id),
  }),
  defineEndpoint('DELETE /app/api/sessions/:sessionId', {
    id: 'endSession',
    summary: 'Ends a session',
    handle: ({ ctx }, { params: { sessionId } }) => endSession(ctx, sessionId),
  }),
];
