import {
  changePassword,
  requestPasswordReset,
  resetPassword,
} from '../../../domain/access/sessions/index.ts';
import type { Route } from '../../route.ts';
import { defineEndpoint, defineOpenEndpoint } from '../endpoint.ts';
import { ChangePassword, ConfirmPasswordReset, RequestPasswordReset } from '../schemas/account.ts';
import { setSession } from '../set-session.ts';

export const passwordRoutes: readonly Route[] = [
  defineEndpoint('POST /app/api/password', {
    id: 'changePassword',
    summary: 'Changes the password; all other sessions end',
    body: { json: ChangePassword },
    async handle({ ctx, client }, { body, reply }) {
      const { current_password: currentPassword, password } = body;
      setSession(ctx, reply, await changePassword(ctx, { currentPassword, password, client }));
    },
  }),
  defineOpenEndpoint('POST /app/api/password-reset', {
    id: 'requestPasswordReset',
    summary: 'Emails a link; the same whether or not the address has an account',
    body: { json: RequestPasswordReset },
    handle: ({ ctx, client }, { body }) => requestPasswordReset(ctx, { ...body, client }),
  }),
  defineOpenEndpoint('POST /app/api/password-reset/confirm', {
    id: 'confirmPasswordReset',
    summary: 'Sets a new password by the link, and signs in',
    body: { json: ConfirmPasswordReset },
    async handle({ ctx, client }, { body, reply }) {
      setSession(ctx, reply, await resetPassword(ctx, { ...body, client }));
    },
  }),
];
