/** Where people go who did not say where they were going. */
export const defaultReturnPath = '/app/settings';

/**
 * Where to go after signing in: one of our own pages that ask for it, whatever the address says.
 * Everything else, and every page of another host above all, is the default.
 */
export function readReturnPath(text: unknown): string {
  if (typeof text !== 'string' || !URL.canParse(text, here)) return defaultReturnPath;
  const url = new URL(text, here);
  const { origin, pathname } = url;
  const known = /^\/(?:app|connect)(?:\/|$)/.test(pathname) && !pathname.startsWith('/app/api');
  // What was done is for a form to say, not for an address that came in.
  if (url.searchParams.has('done')) url.searchParams.delete('done');
  return origin === here && known ? pathname + url.search : defaultReturnPath;
}

/** Stands for this host, whatever it is called: no address that comes in can name it. */
const here = 'http://here.invalid';
