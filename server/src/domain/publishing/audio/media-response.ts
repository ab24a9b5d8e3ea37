import type { ByteRange } from '../../../lib/byte-range.ts';
import type { MediaMarker } from '../../foundation/addresses.ts';

/** One response for an episode's audio. It is reported when the response has ended. */
export interface MediaResponse {
  /** When the request came. */
  readonly at: Date;
  readonly podcastId: string;
  readonly episodeId: string;
  /** Where the address was published; undefined: in the API. */
  readonly marker: MediaMarker | undefined;
  /** `r` in the address: the host of the page around the player's frame. As sent, not checked. */
  readonly framingHost: string | undefined;
  readonly method: 'GET' | 'HEAD';
  /** The client's IP address. Never store or log it. */
  readonly address: string;
  /** As sent; undefined: not sent. */
  readonly userAgent: string | undefined;
  readonly referrer: string | undefined;
  /**
   * The client said that nobody has asked for the audio yet (`Sec-Purpose: prefetch`, or an older
   * name).
   */
  readonly isPrefetch: boolean;
  /** Our status. nginx may turn the 200 that hands the file over into 206, 304 or 416. */
  readonly status: number;
  readonly delivery: MediaDelivery;
}

export type MediaDelivery =
  | {
      readonly kind: 'sent';
      readonly file: MediaFile;
      /** The bytes to send for a GET: for 200 all in one range, for a refusal or a 304 none. */
      readonly requested: readonly ByteRange[];
      /**
       * The bytes handed to the connection: fewer than requested if it broke off, none for HEAD. A
       * client that disconnected has received fewer: some are still in the buffers on the way.
       */
      readonly sent: readonly ByteRange[];
    }
  | {
      /** Handed to nginx (`X-Accel-Redirect`), which does not report how many bytes it sends. */
      readonly kind: 'handed_over';
      readonly file: MediaFile;
      /** By `Range` alone; if `If-Range` does not match, nginx sends the whole file. */
      readonly requested: readonly ByteRange[];
    }
  /** To audio at another host, or to the present address of this audio. */
  | { readonly kind: 'redirected' };

/** The facts that convert bytes to seconds of audio. */
export interface MediaFile {
  /** The SHA-256 of its bytes, hex. */
  readonly hash: string;
  readonly sizeBytes: number;
  readonly durationMs: number;
  /** Average over the audio bytes alone. */
  readonly bitrateBps: number;
  /** The bytes before the first audio byte: tags, pictures, index tables. */
  readonly leadingTagBytes: number;
}
