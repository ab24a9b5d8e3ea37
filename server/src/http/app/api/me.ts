import { acceptTerms, changeName, getOwnAccount } from '../../../domain/accounts/index.ts';
import { changeEmail, confirmEmail } from '../../../domain/sessions/index.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerData, answerNothing } from '../answers.ts';
import { presentMe } from '../present.ts';
import { forAnyRequester, forSignedIn } from '../requester.ts';
import { nothing, ok } from '../responses.ts';
import { AcceptTerms, ChangeEmail, ChangeProfile, ConfirmEmail, Me } from '../schemas/account.ts';

export const meRoutes: readonly Route[] = [
  defineRoute({
    ...forSignedIn,
    method: 'GET',
    path: '/app/api/me',
    operation: { id: 'getMe', summary: 'Who is signed in', responses: ok(Me) },
    async handle(_http, { caller }) {
      const account = await getOwnAccount(caller.ctx);
      return answerData(presentMe(caller, account));
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'PATCH',
    path: '/app/api/me',
    body: { json: ChangeProfile },
    operation: { id: 'changeProfile', summary: 'Changes the name of the user', responses: nothing },
    async handle(_http, { caller: { ctx }, body }) {
      await changeName(ctx, body);
      return answerNothing;
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'POST',
    path: '/app/api/me/email',
    body: { json: ChangeEmail },
    operation: {
      id: 'changeEmail',
      summary: 'Emails a link to the new address, which makes the change',
      responses: nothing,
    },
    async handle(_http, { caller: { ctx, client }, body }) {
      const { email, current_password: currentPassword } = body;
      await changeEmail(ctx, { email, currentPassword, client });
      return answerNothing;
    },
  }),
  defineRoute({
    ...forAnyRequester,
    method: 'POST',
    path: '/app/api/me/email/confirm',
    body: { json: ConfirmEmail },
    operation: {
      id: 'confirmEmail',
      summary: 'Makes the change that the link stands for',
      responses: nothing,
    },
    async handle(_http, { caller: { ctx }, body }) {
      await confirmEmail(ctx, body);
      return answerNothing;
    },
  }),
  defineRoute({
    ...forSignedIn,
    method: 'POST',
    path: '/app/api/terms',
    body: { json: AcceptTerms },
    operation: { id: 'acceptTerms', summary: 'Accepts the current terms', responses: nothing },
    async handle(_http, { caller: { ctx }, body }) {
      await acceptTerms(ctx, body);
      return answerNothing;
    },
  }),
];
