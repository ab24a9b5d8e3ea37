import type { FastifyReply } from 'fastify';
import { DomainError } from '../../../domain/foundation/errors.ts';
import { type Html, html } from '../../html.ts';
import type { Page } from '../../pages/page.ts';
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
