import { tryParseUrl } from '../options.ts';

/** Of listen pages on the service's own host. */
const folder = '/listen/';

/** Where the audio is played; the service counts it. */
export interface Place {
  /** `l` on listen pages, `p` everywhere else. */
  readonly marker: 'l' | 'p';
  /** Host of the page around a player frame. The request's own referrer does not show it. */
  readonly framedBy?: string;
}

/**
 * Adds the place to an audio address of the service, `/media/{id}/{file}`. Other addresses stay as
 * they are.
 */
export function markMediaAddress(url: string, episodeId: string, place: Place): string {
  const at = url.lastIndexOf('/') + 1;
  const file = url.slice(at);
  if (!url.slice(0, at).endsWith(`/media/${episodeId}/`) || /[?#]/.test(file)) return url;
  const query = place.framedBy ? `?r=${encodeURIComponent(place.framedBy)}` : '';
  return `${url.slice(0, at)}${place.marker}/${file}${query}`;
}

/**
 * Where this document is: on a listen page, on another page of the service, or on another site. `listenPage` is
 * the URL of the episode's own, empty for an episode that isn't public.
 */
export function findPlace(listenPage: string, ownOrigins: readonly string[]): Place {
  if (window.parent === window) return { marker: isListenPage(listenPage) ? 'l' : 'p' };
  // From the address: a sandboxed document has no origin.
  if (!ownOrigins.includes(location.origin)) return { marker: 'p' };
  const { origin, host } = tryParseUrl(document.referrer) ?? {};
  return host && origin && !ownOrigins.includes(origin)
    ? { marker: 'p', framedBy: host }
    : { marker: 'p' };
}

/** All pages of a show's own domain are listen pages. */
function isListenPage(like: string): boolean {
  const { origin, pathname } = tryParseUrl(like) ?? {};
  const isBelow = location.pathname.startsWith(folder);
  return origin === location.origin && (isBelow || !pathname?.startsWith(folder));
}
