import type { FastifyReply } from 'fastify';
import { appPages } from '../../../domain/foundation/addresses.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { message } from '../../../domain/foundation/translations/index.ts';
import type { Page } from '../../pages/page.ts';
import { link, type PageWords } from '../../pages/page-words.ts';
import { type Html, html } from '../../responses/html.ts';
import { isSignedIn, type Requester } from '../requester.ts';
import { createFrontPage } from './frame.ts';
import type { PageContext } from './page-route.ts';

/** Shown for an email's link that is used or expired, before anyone fills in a form. */
export function createInvalidLinkPage(words: PageWords, reply: FastifyReply, whatNow: Html): Page {
  reply.code(410);
  return createFrontPage({
    words,
    title: words.say('This link is no longer valid'),
    body: html`<p>${words.write('It has been used or has expired, or part of it is missing.')}</p>
<p>${whatNow}</p>
`,
  });
}

/**
 * The same for an invitation or an offer. Those who have accepted it open it again; nothing of it is
 * stored then, so the page leads to what they may have got.
 */
export function createUsedOfferPage(
  { words, reply, requester }: Pick<PageContext<Requester>, 'words' | 'reply' | 'requester'>,
  what: 'invitation' | 'offer',
): Page {
  const isIn = isSignedIn(requester);
  const text = (isIn ? afterAccepting : beforeSignIn)[what];
  const a = link(isIn ? appPages.home : appPages.signIn);
  return createInvalidLinkPage(words, reply, words.write(text, { a }));
}

const afterAccepting = {
  invitation: message(
    'If you have accepted the invitation already, the show is among <a>your shows</a>. Otherwise, ask the person who invited you for a new one.',
  ),
  offer: message(
    "If you have accepted the offer already, the show is among <a>your shows</a>. Otherwise, ask the podcast's owner for a new one.",
  ),
} as const;

const beforeSignIn = {
  invitation: message(
    'If you have accepted the invitation already, <a>sign in</a> to find the show. Otherwise, ask the person who invited you for a new one.',
  ),
  offer: message(
    "If you have accepted the offer already, <a>sign in</a> to find the show. Otherwise, ask the podcast's owner for a new one.",
  ),
} as const;

/** Resolves to undefined if the link is no longer valid. */
export async function ifLinkValid<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    const ended = error instanceof DomainError && error.details[0]?.reason === 'link_expired';
    if (ended) return undefined;
    throw error;
  }
}
