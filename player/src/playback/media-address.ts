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

/** Where this document is: on one of the service's own origins, or on another site. */
export function findPlace(ownOrigins: readonly string[]): Place {
  // From the address: a sandboxed document has no origin.
  if (!ownOrigins.includes(location.origin)) return { marker: 'p' };
  if (window.parent === window) {
    return { marker: location.pathname.startsWith('/listen/') ? 'l' : 'p' };
  }
  const { origin, host } = tryParseUrl(document.referrer) ?? {};
  return host && origin && !ownOrigins.includes(origin)
    ? { marker: 'p', framedBy: host }
    : { marker: 'p' };
}
