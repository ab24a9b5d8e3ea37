import {
  changePassword,
  requestPasswordReset,
  resetPassword,
} from '../../../domain/sessions/index.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerNothing } from '../answers.ts';
import { keepSession } from '../carry-session.ts';
import { ChangePassword, ConfirmPasswordReset, RequestPasswordReset } from '../schemas/account.ts';
import { forSignedIn, forVisitors } from '../visitor.ts';

export const passwordRoutes: readonly Route[] = [
  defineRoute({
    ...forSignedIn,
    method: 'POST',
    path: '/app/api/password',
    body: { json: ChangePassword },
    async handle(_web, { caller: { ctx, client }, body, reply }) {
      const { current_password: currentPassword, password } = body;
      keepSession(ctx, reply, await changePassword(ctx, { currentPassword, password, client }));
      return answerNothing(reply);
    },
  }),
  // The same whether or not the address has an account.
  defineRoute({
    ...forVisitors,
    method: 'POST',
    path: '/app/api/password-reset',
    body: { json: RequestPasswordReset },
    async handle(_web, { caller: { ctx, client }, body, reply }) {
      await requestPasswordReset(ctx, { ...body, client });
      return answerNothing(reply);
    },
  }),
  defineRoute({
    ...forVisitors,
    method: 'POST',
    path: '/app/api/password-reset/confirm',
    body: { json: ConfirmPasswordReset },
    async handle(_web, { caller: { ctx, client }, body, reply }) {
      keepSession(ctx, reply, await resetPassword(ctx, { ...body, client }));
      return answerNothing(reply);
    },
  }),
];
