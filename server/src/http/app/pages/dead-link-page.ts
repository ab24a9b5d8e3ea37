import type { FastifyReply } from 'fastify';
import { DomainError } from '../../../domain/errors.ts';
import { type Html, html } from '../../html.ts';
import type { Page } from '../../pages/page.ts';
import { createFrontPage } from './frame.ts';

/** Where a letter's link leads that was used, or is too old: said before anyone fills in a form. */
export function createDeadLinkPage(reply: FastifyReply, whatNow: Html): Page {
  reply.code(410);
  return createFrontPage({
    title: 'This link has ended',
    body: html`<p>It was used already, is too old, or was not copied whole.</p>
<p>${whatNow}</p>
`,
  });
}

/** What a link leads to; undefined for one that has ended, where that is thrown as a refusal. */
export async function ifLinkLives<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    const ended = error instanceof DomainError && error.details[0]?.reason === 'link_expired';
    if (ended) return undefined;
    throw error;
  }
}
