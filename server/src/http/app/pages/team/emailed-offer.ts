import { appPages } from '../../../../domain/foundation/addresses.ts';
import { isSameEmail } from '../../../../lib/email-address.ts';
import { link, type PageWords } from '../../../pages/page-words.ts';
import { type Html, html } from '../../../responses/html.ts';
import { closed, token } from '../../field-schemas.ts';
import { isSignedIn, type Requester } from '../../requester.ts';
import { renderForm } from '../form.ts';
import { untouched } from '../form-state.ts';
import type { PageContext } from '../page-route.ts';

/** Shared by the pages that invitations and offers link to: who may accept, and declining. */

/** The token of the email; of an invitation also from a copied link. */
export const TokenForm = closed({ token });

export type OfferContext = Pick<PageContext<Requester>, 'requester' | 'reply' | 'words'>;

export function isFor(requester: Requester, email: string): boolean {
  return isSignedIn(requester) && isSameEmail(requester.session.email, email);
}

/** For visitors who are not signed in as the recipient; they return to `url`. */
export function renderSignInAs(
  { requester, words }: OfferContext,
  email: string,
  url: string,
): Html {
  const query = new URLSearchParams({ email, next: url });
  const other =
    isSignedIn(requester) &&
    html`<p>${words.write('You are signed in as <strong>{email}</strong>.', { email: requester.session.email })}</p>\n`;
  return html`${other}<p>${words.write('This was sent to <strong>{email}</strong>. To accept it, sign in with that address.', { email })}</p>
<p><a class="button primary" href="${appPages.signIn}?${query.toString()}">${words.say('Sign in')}</a></p>
`;
}

/** For readers of a copied link, who may be anybody: a new account confirms the address as usual. */
export function renderSignUpAs(context: OfferContext, email: string, url: string): Html {
  const { requester, words } = context;
  const query = new URLSearchParams({ email, next: url });
  const { signUp } = requester.ctx.installation;
  return html`${renderSignInAs(context, email, url)}<p>${
    signUp
      ? words.write('No account yet? <a>Create one</a> with that address.', {
          a: link(`${appPages.signUp}?${query.toString()}`),
        })
      : words.write('No account yet? Open the link in the email that we sent there.')
  }</p>
`;
}

/** Anybody with the email may decline, signed in or not. */
export function renderDeclining(words: PageWords, action: string, token: string): Html {
  return renderForm(
    words,
    { action, fields: [], hidden: { token }, submit: words.say('Decline'), look: 'plain' },
    untouched,
  );
}
