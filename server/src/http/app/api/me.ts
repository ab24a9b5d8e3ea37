import { changeEmail, changePassword } from '../../../domain/access/sessions/index.ts';
import {
  acceptTerms,
  changeProfile,
  getOwnAccount,
} from '../../../domain/foundation/accounts/index.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint } from '../endpoint.ts';
import { presentAccount } from '../present.ts';
import { ok } from '../response.ts';
import { AcceptTerms, ChangeEmail, ChangePassword, ChangeProfile, Me } from '../schemas/account.ts';
import { setSession } from '../set-session.ts';

export const meRoutes: readonly Route[] = [
  defineEndpoint('GET /app/api/me', {
    id: 'getMe',
    summary: 'Who is signed in',
    response: ok(Me),
    handle: async (caller) => presentAccount(caller, await getOwnAccount(caller.ctx)),
  }),
  defineEndpoint('PATCH /app/api/me', {
    id: 'changeProfile',
    summary: "Changes the user's name or language",
    body: { json: ChangeProfile },
    handle: ({ ctx }, { body }) => changeProfile(ctx, body),
  }),
  defineEndpoint('POST /app/api/me/email', {
    id: 'changeEmail',
    summary: 'Emails a link to the new email address, which changes once the link is opened',
    body: { json: ChangeEmail },
    handle: ({ ctx, client }, { body: { email, current_password: currentPassword } }) =>
      changeEmail(ctx, { email, currentPassword, client }),
  }),
  defineEndpoint('POST /app/api/password', {
    id: 'changePassword',
    summary: 'Changes the password; all other sessions end',
    body: { json: ChangePassword },
    async handle({ ctx, client }, { body, reply }) {
      const { current_password: currentPassword, password } = body;
      setSession(ctx, reply, await changePassword(ctx, { currentPassword, password, client }));
    },
  }),
  defineEndpoint('POST /app/api/terms', {
    id: 'acceptTerms',
    summary: 'Accepts the current terms',
    body: { json: AcceptTerms },
    handle: ({ ctx }, { body }) => acceptTerms(ctx, body),
  }),
];
