import { type Html, html } from '../../html.ts';

/** Confirmation messages, by the name in the URL. */
const messages = {
  'signed-up': 'Your account was created.',
  'signed-out': 'You are signed out.',
  name: 'Your name was changed.',
  email: 'Your email address was changed.',
  'email-sent': 'We sent an email to the new address. Open the link in it to confirm the change.',
  password:
    'Your password was changed. You are signed out everywhere else, your API keys are revoked, and your sites are disconnected.',
  terms: 'You have accepted the terms.',
  ended: 'That browser was signed out.',
  'others-ended': 'You are signed out everywhere else.',
  widened: 'The key has more access now.',
  revoked: 'The key was revoked.',
  'all-revoked': 'All your keys were revoked.',
  joined: 'You have joined the team.',
  'handed-over': 'The podcast is now yours.',
  declined: 'You have declined the invitation.',
  'offer-declined': 'You have declined the offer.',
  'site-disconnected': 'The site was disconnected. Its posts stay on the site.',
  'site-shows': 'The shows of this site were changed.',
} as const;

export type Done = keyof typeof messages;

/** A path with the name of a message, which the target page shows. */
export function sayingDone(path: string, done: Done): string {
  return `${path}?done=${done}`;
}

/** Undefined for names that do not exist. */
export function renderDone(done: string | undefined): Html | undefined {
  if (done === undefined || !Object.hasOwn(messages, done)) return undefined;
  return html`<p class="notice done" role="status">${messages[done as Done]}</p>
`;
}
