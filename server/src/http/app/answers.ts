import type { FastifyReply } from 'fastify';
import { type Page, pageType } from '../pages/page.ts';
import { sessionCaching } from '../payload.ts';
import type { Answer } from '../route.ts';

/** What pages of an account and their API answer with: nobody may keep any of it. */

export function answerData(data: unknown): Answer {
  return { kind: 'json', body: { data }, caching: sessionCaching };
}

/** Done, and there is nothing to say of it. */
export function answerNothing(reply: FastifyReply): Answer {
  reply.code(204).header('Cache-Control', sessionCaching.cacheControl).send();
  return { kind: 'sent' };
}

export function answerPage(page: Page): Answer {
  const { text, headers } = page;
  return { kind: 'text', contentType: pageType, text, headers, caching: sessionCaching };
}

/** After a form has done what it says: loading the page it leads to does nothing again. */
export function seeOther(location: string): Answer {
  return { kind: 'redirect', status: 303, location, caching: sessionCaching };
}
