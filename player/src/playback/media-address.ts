import { tryParseUrl } from '../options.ts';

/** Where something is heard, for whoever counts it. */
export interface Place {
  /** `l` on listen pages, `p` everywhere else. */
  readonly marker: 'l' | 'p';
  /** Host of the page around a frame of the service, which the request's own referrer cannot tell. */
  readonly framedBy?: string;
}

/**
 * The service's own address of an episode's audio, `/media/{id}/{file}`, with the place it is heard
 * at. Any other address stays as it is.
 */
export function markMediaAddress(url: string, episodeId: string, place: Place): string {
  const at = url.lastIndexOf('/') + 1;
  const file = url.slice(at);
  if (!url.slice(0, at).endsWith(`/media/${episodeId}/`) || /[?#]/.test(file)) return url;
  const query = place.framedBy ? `?r=${encodeURIComponent(place.framedBy)}` : '';
  return `${url.slice(0, at)}${place.marker}/${file}${query}`;
}

/** This document, as one of the service's (at one of its origins) or of somebody else. */
export function findPlace(ownOrigins: readonly string[]): Place {
  // Of its address: in a sandbox the document itself has none.
  if (!ownOrigins.includes(location.origin)) return { marker: 'p' };
  if (window.parent === window) {
    return { marker: location.pathname.startsWith('/listen/') ? 'l' : 'p' };
  }
  const { origin, host } = tryParseUrl(document.referrer) ?? {};
  return host && origin && !ownOrigins.includes(origin)
    ? { marker: 'p', framedBy: host }
    : { marker: 'p' };
}
