import { appPages } from '../../../domain/foundation/addresses.ts';
import { type Html, html } from '../../responses/html.ts';
import { seeOther } from '../response.ts';

/** Confirmation messages, by the name in the URL. */
const messages = {
  'signed-up': 'Your account was created.',
  'signed-out': 'You are signed out.',
  email: 'Your email address was changed.',
  password:
    'Your password was changed. You are signed out everywhere else, your API keys are revoked, and your sites are disconnected.',
  joined: 'You have joined the team.',
  'handed-over': 'The podcast is now yours.',
  declined: 'You have declined the invitation.',
  'offer-declined': 'You have declined the offer.',
} as const;

export type Done = keyof typeof messages;

/** A path with the name of a message, which the target page or the app shows. */
export function withDone(path: string, done: Done): string {
  return `${path}?done=${done}`;
}

/** Undefined for names that do not exist. */
export function renderDone(done: string | undefined): Html | undefined {
  if (done === undefined || !Object.hasOwn(messages, done)) return undefined;
  return html`<p class="notice done" role="status">${messages[done as Done]}</p>
`;
}

/** Leads somebody who is signed in now to the app, which says what was done. */
export function leadToApp(done: Done) {
  return seeOther(withDone(appPages.home, done));
}
