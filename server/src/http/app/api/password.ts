import {
  changePassword,
  requestPasswordReset,
  resetPassword,
} from '../../../domain/sessions/index.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerNothing } from '../answers.ts';
import { keepSession } from '../carry-session.ts';
import { forAnyRequester, forSignedIn } from '../requester.ts';
import { nothing } from '../responses.ts';
import { ChangePassword, ConfirmPasswordReset, RequestPasswordReset } from '../schemas/account.ts';

export const passwordRoutes: readonly Route[] = [
  defineRoute({
    ...forSignedIn,
    method: 'POST',
    path: '/app/api/password',
    body: { json: ChangePassword },
    operation: {
      id: 'changePassword',
      summary: 'Changes the password; all other sessions end',
      responses: nothing,
    },
    async handle(_http, { caller: { ctx, client }, body, reply }) {
      const { current_password: currentPassword, password } = body;
      keepSession(ctx, reply, await changePassword(ctx, { currentPassword, password, client }));
      return answerNothing;
    },
  }),
  defineRoute({
    ...forAnyRequester,
    method: 'POST',
    path: '/app/api/password-reset',
    body: { json: RequestPasswordReset },
    operation: {
      id: 'requestPasswordReset',
      summary: 'Emails a link; the same whether or not the address has an account',
      responses: nothing,
    },
    async handle(_http, { caller: { ctx, client }, body }) {
      await requestPasswordReset(ctx, { ...body, client });
      return answerNothing;
    },
  }),
  defineRoute({
    ...forAnyRequester,
    method: 'POST',
    path: '/app/api/password-reset/confirm',
    body: { json: ConfirmPasswordReset },
    operation: {
      id: 'confirmPasswordReset',
      summary: 'Sets a new password by the link, and signs in',
      responses: nothing,
    },
    async handle(_http, { caller: { ctx, client }, body, reply }) {
      keepSession(ctx, reply, await resetPassword(ctx, { ...body, client }));
      return answerNothing;
    },
  }),
];
