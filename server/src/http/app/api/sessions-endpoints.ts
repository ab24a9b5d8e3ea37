import type { Static } from 'typebox';
import Type from 'typebox';
import {
  endOtherSessions,
  endSession,
  listSessions,
  signIn,
  signOut,
  type Session as UserSession,
} from '../../../domain/access/sessions/index.ts';
import { wireNames } from '../../../lib/wire-names.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint, defineOpenEndpoint } from '../endpoint.ts';
import { closed, email, id, moment, named, nullable, password } from '../field-schemas.ts';
import { ok } from '../response.ts';
import { clearSession, setSession } from '../session-cookie.ts';

/** Sign-in, profile, password and terms. */

export const SignIn = closed({ email, password });

export const Session = named('Session', {
  id,
  user_agent: nullable(Type.String()),
  created_at: moment,
  last_used_at: moment,
  expires_at: moment,
  /** The session of this request. */
  current: Type.Boolean(),
});

export function presentSession(session: UserSession, currentId: string): Static<typeof Session> {
  return { ...wireNames(session), current: session.id === currentId };
}

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

export const signInRoutes: readonly Route[] = [
  defineOpenEndpoint('POST /app/api/sign-in', {
    id: 'signIn',
    summary: 'Signs in',
    body: { json: SignIn },
    async handle({ ctx, client, token }, { body, reply }) {
      setSession(ctx, reply, await signIn(ctx, { ...body, client, previousToken: token }));
    },
  }),
  defineOpenEndpoint('POST /app/api/sign-out', {
    id: 'signOut',
    summary: 'Signs out; also succeeds without a session',
    async handle({ ctx, token }, { reply }) {
      if (token !== undefined) await signOut(ctx, token);
      clearSession(ctx, reply);
    },
  }),
];
