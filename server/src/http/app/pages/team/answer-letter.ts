import { isSameEmail } from '../../../../lib/email-address.ts';
import { type Html, html } from '../../../html.ts';
import { isSignedIn, type Visitor } from '../../visitor.ts';
import { renderForm } from '../form.ts';
import { untouched } from '../form-state.ts';

/** What the pages share that letters to one address lead to: who may say yes, and saying no. */

export function isFor(visitor: Visitor, email: string): boolean {
  return isSignedIn(visitor) && isSameEmail(visitor.session.email, email);
}

/** To whoever is not signed in as whom the letter is for; they come back to `url`. */
export function renderSignInAs(visitor: Visitor, email: string, url: string): Html {
  const query = new URLSearchParams({ email, next: url });
  const other =
    isSignedIn(visitor) &&
    html`<p>You are signed in as <strong>${visitor.session.email}</strong>.</p>\n`;
  return html`${other}<p>This is for <strong>${email}</strong>. To accept it, sign in with that address.</p>
<p><a class="button primary" href="/app/sign-in?${query.toString()}">Sign in</a></p>
`;
}

/** Whoever holds the letter may decline, signed in or not. */
export function renderDeclining(action: string, token: string): Html {
  return renderForm(
    { action, fields: [], hidden: { token }, submit: 'Decline', look: 'plain' },
    untouched,
  );
}
