import { appPages } from '../../../domain/foundation/addresses.ts';
import { message } from '../../../domain/foundation/translations/index.ts';
import type { PageWords } from '../../pages/page-words.ts';
import { type Html, html } from '../../responses/html.ts';
import { seeOther } from '../response.ts';

/** Confirmation messages, by the name in the URL. */
const messages = {
  'signed-up': message('Your account was created.'),
  'signed-out': message('You are signed out.'),
  email: message('Your email address was changed.'),
  password: message(
    'Your password was changed. You are signed out everywhere else, your API keys are revoked, and your sites are disconnected.',
  ),
  joined: message('You have joined the team.'),
  'handed-over': message('The podcast is now yours.'),
  declined: message('You have declined the invitation.'),
  'offer-declined': message('You have declined the offer.'),
} as const;

export type Done = keyof typeof messages;

/** A path with the name of a message, which the target page or the app shows. */
export function withDone(path: string, done: Done): string {
  return `${path}?done=${done}`;
}

/** Undefined for names that do not exist. */
export function renderDone(done: string | undefined, words: PageWords): Html | undefined {
  if (done === undefined || !Object.hasOwn(messages, done)) return undefined;
  return html`<p class="notice done" role="status">${words.write(messages[done as Done])}</p>
`;
}

/** Leads somebody who is signed in now to the app, which says what was done. */
export function leadToApp(done: Done) {
  return seeOther(withDone(appPages.home, done));
}
