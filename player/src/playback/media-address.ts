import { tryParseUrl } from '../options.ts';

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
 * Where this document is: on an own origin, which is the service's or the show's own domain, or on
 * another site. `listenUrl`: the episode's page.
 */
export function findPlace(serviceOrigins: readonly string[], listenUrl: string): Place {
  const page = tryParseUrl(listenUrl);
  const ownOrigins = [...serviceOrigins, page?.origin];
  // From the address: a sandboxed document has no origin.
  const { origin: here, pathname } = location;
  if (!ownOrigins.includes(here)) return { marker: 'p' };
  if (window.parent === window) {
    const isOwnDomain = here === page?.origin && !page.pathname.startsWith('/listen/');
    // There, only pages have one segment.
    const pages = isOwnDomain ? /^\/[^/]*$/ : /^\/listen\//;
    return { marker: pages.test(pathname) ? 'l' : 'p' };
  }
  const { origin, host } = tryParseUrl(document.referrer) ?? {};
  return host && origin && !ownOrigins.includes(origin)
    ? { marker: 'p', framedBy: host }
    : { marker: 'p' };
}
