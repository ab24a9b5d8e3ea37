import { type Html, html } from '../../html.ts';

/** What is said after something was done, by the name that the address carries. */
const notices = {
  'signed-out': 'You are signed out.',
  name: 'Your name is changed.',
  email: 'Your address is changed.',
  letter: 'A letter is on its way to the new address. Open the link in it to change to it.',
  password:
    'Your password is changed. Your other sign-ins have ended, and your API keys are revoked.',
  terms: 'You have accepted the terms.',
  ended: 'That sign-in has ended.',
  'others-ended': 'Your other sign-ins have ended.',
  widened: 'The key may do more now.',
  revoked: 'The key is revoked.',
  'all-revoked': 'All your keys are revoked.',
  joined: 'You are on the team now.',
  'handed-over': 'The podcast is yours now.',
  declined: 'You have declined the invitation.',
  'offer-declined': 'You have declined the offer.',
} as const;

export type Done = keyof typeof notices;

/** A path with the word of it; where it leads says what was done. */
export function sayingDone(path: string, done: Done): string {
  return `${path}?done=${done}`;
}

/** Nothing for words that an address made up. */
export function renderDone(done: string | undefined): Html | undefined {
  if (done === undefined || !Object.hasOwn(notices, done)) return undefined;
  return html`<p class="notice done" role="status">${notices[done as Done]}</p>
`;
}
