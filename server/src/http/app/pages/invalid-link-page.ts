import type { FastifyReply } from 'fastify';
import { appPages } from '../../../domain/foundation/addresses.ts';
import { DomainError } from '../../../domain/foundation/errors.ts';
import type { Page } from '../../pages/page.ts';
import { type Html, html } from '../../responses/html.ts';
import { isSignedIn, type Requester } from '../requester.ts';
import { createFrontPage } from './frame.ts';

/** Shown for an email's link that is used or expired, before anyone fills in a form. */
export function createInvalidLinkPage(reply: FastifyReply, whatNow: Html): Page {
  reply.code(410);
  return createFrontPage({
    title: 'This link is no longer valid',
    body: html`<p>It has been used or has expired, or part of it is missing.</p>
<p>${whatNow}</p>
`,
  });
}

/**
 * The same for an invitation or an offer. Those who have accepted it open it again; nothing of it is
 * stored then, so the page leads to what they may have got.
 */
export function createUsedOfferPage(
  reply: FastifyReply,
  requester: Requester,
  { what, askAgain }: { readonly what: string; readonly askAgain: Html },
): Page {
  const shows = isSignedIn(requester)
    ? html`the show is among <a href="${appPages.home}">your shows</a>.`
    : html`<a href="${appPages.signIn}">sign in</a> to find the show.`;
  return createInvalidLinkPage(
    reply,
    html`If you have accepted ${what} already, ${shows} Otherwise, ${askAgain}`,
  );
}

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
