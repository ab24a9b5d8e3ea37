import { confirmSignUp, signUp } from '../../../domain/access/sessions/index.ts';
import type { Route } from '../../route.ts';
import { defineOpenEndpoint } from '../endpoint.ts';
import { ConfirmSignUp, SignUp } from '../schemas/account.ts';
import { setSession } from '../set-session.ts';

export const signUpRoutes: readonly Route[] = [
  defineOpenEndpoint('POST /app/api/sign-up', {
    id: 'signUp',
    summary: 'Emails a link; the same whether or not the address has an account',
    body: { json: SignUp },
    handle: ({ ctx, client }, { body }) => signUp(ctx, { ...body, client }),
  }),
  defineOpenEndpoint('POST /app/api/sign-up/confirm', {
    id: 'confirmSignUp',
    summary: 'Creates the account with the token of the link, and signs in',
    body: { json: ConfirmSignUp },
    async handle({ ctx, client }, { body, reply }) {
      const { accepts_terms: acceptsTerms, ...given } = body;
      setSession(ctx, reply, await confirmSignUp(ctx, { ...given, acceptsTerms, client }));
    },
  }),
];
