import { appPages } from '../../../../domain/foundation/addresses.ts';
import { isSameEmail } from '../../../../lib/email-address.ts';
import { type Html, html } from '../../../responses/html.ts';
import { closed, token } from '../../field-schemas.ts';
import { isSignedIn, type Requester } from '../../requester.ts';
import { renderForm } from '../form.ts';
import { untouched } from '../form-state.ts';

/** Shared by the pages that invitations and offers link to: who may accept, and declining. */

/** The token of the email; of an invitation also from a copied link. */
export const TokenForm = closed({ token });

export function isFor(requester: Requester, email: string): boolean {
  return isSignedIn(requester) && isSameEmail(requester.session.email, email);
}

/** For visitors who are not signed in as the recipient; they return to `url`. */
export function renderSignInAs(requester: Requester, email: string, url: string): Html {
  const query = new URLSearchParams({ email, next: url });
  const other =
    isSignedIn(requester) &&
    html`<p>You are signed in as <strong>${requester.session.email}</strong>.</p>\n`;
  return html`${other}<p>This was sent to <strong>${email}</strong>. To accept it, sign in with that address.</p>
<p><a class="button primary" href="${appPages.signIn}?${query.toString()}">Sign in</a></p>
`;
}

/** For readers of a copied link, who may be anybody: a new account confirms the address as usual. */
export function renderSignUpAs(requester: Requester, email: string, url: string): Html {
  const query = new URLSearchParams({ email, next: url });
  const { signUp } = requester.ctx.installation;
  return html`${renderSignInAs(requester, email, url)}<p>No account yet? ${
    signUp
      ? html`<a href="${appPages.signUp}?${query.toString()}">Create one</a> with that address.`
      : 'Open the link in the email that we sent there.'
  }</p>
`;
}

/** Anybody with the email may decline, signed in or not. */
export function renderDeclining(action: string, token: string): Html {
  return renderForm(
    { action, fields: [], hidden: { token }, submit: 'Decline', look: 'plain' },
    untouched,
  );
}
