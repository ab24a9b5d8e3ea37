import { appPages } from '../../domain/foundation/addresses.ts';

/** The default target after signing in. */
const defaultReturnPath = appPages.home;

/**
 * Where to go after signing in: one of our own pages that require it. Everything else, above all a
 * page of another host, becomes the default.
 */
export function readReturnPath(text: unknown): string {
  if (typeof text !== 'string' || text.length > maxChars) return defaultReturnPath;
  if (!URL.canParse(text, here)) return defaultReturnPath;
  const url = new URL(text, here);
  const { origin, pathname } = url;
  const known = /^\/(?:app|connect)(?:\/|$)/.test(pathname) && !pathname.startsWith('/app/api');
  // Only forms may set the confirmation message.
  if (url.searchParams.has('done')) url.searchParams.delete('done');
  const path = pathname + url.search;
  return origin === here && known && path.length <= maxChars ? path : defaultReturnPath;
}

/** The limit of `email_links`. The parameters of a site's approval need a tenth of it. */
const maxChars = 8192;

/** A placeholder for this host that no incoming URL can name. */
const here = 'http://here.invalid';
