import { type MediaMarker, mediaMarkers } from '../../../foundation/addresses.ts';

/** The audio that a line is about. */
export type AudioTarget =
  | {
      readonly kind: 'episode';
      readonly episodeId: string;
      readonly marker: MediaMarker | undefined;
      readonly framingHost: string | undefined;
    }
  /** A stored file by its key, in the log of a file server or an object store. */
  | { readonly kind: 'blob'; readonly key: string };

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const mediaPath = new RegExp(`^/media/(${uuid})/(?:([a-z])/)?[^/]+$`);
const blobPath = new RegExp(`/(audio/${uuid}\\.[a-z0-9]{1,8})$`);
const markers: readonly string[] = Object.values(mediaMarkers);
const maxTargetChars = 8_192;

/** Undefined: the request was for something else. */
export function tryParseAudioTarget(target: string): AudioTarget | undefined {
  if (target.length > maxTargetChars) return undefined;
  // Proxies are sent whole URLs.
  const inFull = /^https?:\/\/[^/]*/i.exec(target)?.[0] ?? '';
  const [path = '', query] = target.slice(inFull.length).split('?', 2);
  const [, episodeId, marker] = mediaPath.exec(path) ?? [];
  if (episodeId !== undefined && (marker === undefined || markers.includes(marker))) {
    const framingHost = query === undefined ? undefined : readFramingHost(query);
    return { kind: 'episode', episodeId, marker: marker as MediaMarker | undefined, framingHost };
  }
  const key = blobPath.exec(path)?.[1];
  return key === undefined ? undefined : { kind: 'blob', key };
}

/** `r`, unless there are several. */
function readFramingHost(query: string): string | undefined {
  const values = new URLSearchParams(query).getAll('r');
  return values.length === 1 ? values[0] : undefined;
}
