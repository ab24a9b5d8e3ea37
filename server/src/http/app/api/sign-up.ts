import { confirmSignUp, signUp } from '../../../domain/sessions/index.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerNothing } from '../answers.ts';
import { keepSession } from '../carry-session.ts';
import { forAnyRequester } from '../requester.ts';
import { nothing } from '../responses.ts';
import { ConfirmSignUp, SignUp } from '../schemas/account.ts';

export const signUpRoutes: readonly Route[] = [
  defineRoute({
    ...forAnyRequester,
    method: 'POST',
    path: '/app/api/sign-up',
    body: { json: SignUp },
    operation: {
      id: 'signUp',
      summary: 'Emails a link; the same whether or not the address has an account',
      responses: nothing,
    },
    async handle(_http, { caller: { ctx, client }, body }) {
      await signUp(ctx, { ...body, client });
      return answerNothing;
    },
  }),
  defineRoute({
    ...forAnyRequester,
    method: 'POST',
    path: '/app/api/sign-up/confirm',
    body: { json: ConfirmSignUp },
    operation: {
      id: 'confirmSignUp',
      summary: 'Makes the account by the link, and signs in',
      responses: nothing,
    },
    async handle(_http, { caller: { ctx, client }, body, reply }) {
      const { accepts_terms: acceptsTerms, ...given } = body;
      keepSession(ctx, reply, await confirmSignUp(ctx, { ...given, acceptsTerms, client }));
      return answerNothing;
    },
  }),
];
