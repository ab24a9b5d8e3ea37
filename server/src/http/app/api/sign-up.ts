import { confirmSignUp, signUp } from '../../../domain/sessions/index.ts';
import { defineRoute, type Route } from '../../route.ts';
import { answerNothing } from '../answers.ts';
import { keepSession } from '../carry-session.ts';
import { ConfirmSignUp, SignUp } from '../schemas/account.ts';
import { forVisitors } from '../visitor.ts';

export const signUpRoutes: readonly Route[] = [
  // The same whether or not the address has an account: the letter tells its owner.
  defineRoute({
    ...forVisitors,
    method: 'POST',
    path: '/app/api/sign-up',
    body: { json: SignUp },
    async handle(_web, { caller: { ctx, client }, body, reply }) {
      await signUp(ctx, { ...body, client });
      return answerNothing(reply);
    },
  }),
  defineRoute({
    ...forVisitors,
    method: 'POST',
    path: '/app/api/sign-up/confirm',
    body: { json: ConfirmSignUp },
    async handle(_web, { caller: { ctx, client }, body, reply }) {
      const { accepts_terms: acceptsTerms, ...given } = body;
      keepSession(ctx, reply, await confirmSignUp(ctx, { ...given, acceptsTerms, client }));
      return answerNothing(reply);
    },
  }),
];
