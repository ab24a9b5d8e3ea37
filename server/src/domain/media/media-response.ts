import type { ByteRange } from '../../lib/byte-range.ts';
import type { MediaMarker } from '../addresses.ts';

/** One response of the address of an episode's audio, told when it has ended. */
export interface MediaResponse {
  /** When the request came. */
  readonly at: Date;
  readonly podcastId: string;
  readonly episodeId: string;
  /** Where the address was published; undefined: it is the one that the API gives. */
  readonly marker: MediaMarker | undefined;
  /** `r` of the address: the host of the page around the player's frame. As sent, not checked. */
  readonly framingHost: string | undefined;
  readonly method: 'GET' | 'HEAD';
  /** The client's IP address: neither to be stored nor logged. */
  readonly address: string;
  /** As sent; undefined: there was none. */
  readonly userAgent: string | undefined;
  readonly referrer: string | undefined;
  /** The client said that nobody has asked for it yet (`Sec-Purpose: prefetch`, or an older name). */
  readonly isPrefetch: boolean;
  /** Ours: nginx may make a 206, 304 or 416 of the 200 that hands the file over. */
  readonly status: number;
  readonly delivery: MediaDelivery;
}

export type MediaDelivery =
  | {
      readonly kind: 'sent';
      readonly file: MediaFile;
      /** The bytes that a GET is to be given: of a 200 all in one range, of a refusal or a 304 none. */
      readonly requested: readonly ByteRange[];
      /**
       * The bytes handed to the connection: fewer than requested when it broke off, none for HEAD. A
       * client that went away has read fewer, by what the systems on the way hold back.
       */
      readonly sent: readonly ByteRange[];
    }
  | {
      /** To nginx (`X-Accel-Redirect`), which tells nobody how many bytes it sends. */
      readonly kind: 'handed_over';
      readonly file: MediaFile;
      /** By `Range` alone; where `If-Range` does not hold, nginx sends the whole file. */
      readonly requested: readonly ByteRange[];
    }
  /** To audio that stands elsewhere, or to the present address of this one. */
  | { readonly kind: 'redirected' };

/** What tells seconds of audio from bytes. */
export interface MediaFile {
  /** The SHA-256 of its bytes, hex. */
  readonly hash: string;
  readonly sizeBytes: number;
  readonly durationMs: number;
  /** Average over the audio bytes alone. */
  readonly bitrateBps: number;
  /** What stands before the first audio byte: tags, pictures, index tables. */
  readonly leadingTagBytes: number;
}
