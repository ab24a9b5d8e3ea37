import { acceptTerms, changeName, getAccount } from '../../../domain/accounts/index.ts';
import { changeEmail, confirmEmail } from '../../../domain/sessions/index.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerData, answerNothing } from '../answers.ts';
import { presentMe } from '../present.ts';
import { AcceptTerms, ChangeEmail, ChangeProfile, ConfirmEmail, Me } from '../schemas/account.ts';
import { data } from '../schemas/fields.ts';
import { forSignedIn, forVisitors } from '../visitor.ts';

export const meRoutes: readonly Route[] = [
  defineRoute({
    ...forSignedIn,
    method: 'GET',
    path: '/app/api/me',
    answers: { 200: data(Me) },
    async handle(_web, { caller }) {
      const account = await getAccount(caller.ctx, caller.session.accountId);
      return answerData(presentMe(caller, account));
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'PATCH',
    path: '/app/api/me',
    body: { json: ChangeProfile },
    async handle(_web, { caller: { ctx }, body, reply }) {
      await changeName(ctx, body);
      return answerNothing(reply);
    },
  }),
  // Sends a letter to the new address; its link, confirmed, makes the change.
  defineRoute({
    ...forSignedIn,
    method: 'POST',
    path: '/app/api/me/email',
    body: { json: ChangeEmail },
    async handle(_web, { caller: { ctx, client }, body, reply }) {
      const { email, current_password: currentPassword } = body;
      await changeEmail(ctx, { email, currentPassword, client });
      return answerNothing(reply);
    },
  }),
  defineRoute({
    ...forVisitors,
    method: 'POST',
    path: '/app/api/me/email/confirm',
    body: { json: ConfirmEmail },
    async handle(_web, { caller: { ctx }, body, reply }) {
      await confirmEmail(ctx, body);
      return answerNothing(reply);
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'POST',
    path: '/app/api/terms',
    body: { json: AcceptTerms },
    async handle(_web, { caller: { ctx }, body, reply }) {
      await acceptTerms(ctx, body);
      return answerNothing(reply);
    },
  }),
];
