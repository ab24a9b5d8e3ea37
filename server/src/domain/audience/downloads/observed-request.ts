import type { ByteRange } from '../../../lib/byte-range.ts';
import type { MediaFile } from '../../publishing/audio/index.ts';
import type { DownloadSource } from './audio-request.ts';

/**
 * One request for an episode's audio and what was delivered, whoever saw it: this process, a line
 * of an access log, or a seed file.
 */
export interface ObservedRequest {
  /** When the request came. */
  readonly at: Date;
  readonly podcastId: string;
  readonly episodeId: string;
  readonly source: DownloadSource;
  /** The client's IP address: neither to be stored nor logged. */
  readonly address: string;
  readonly userAgent: string | undefined;
  /** An address, as sent. */
  readonly referrer: string | undefined;
  /** The host of the page around the player's frame, as sent. */
  readonly framingHost: string | undefined;
  readonly method: string;
  readonly status: number;
  /** The client said that nobody asked for it yet (`Sec-Purpose: prefetch`). */
  readonly isPrefetch: boolean;
  readonly file: MediaFile;
  /** What was delivered, by its place in the file. */
  readonly sent: readonly ByteRange[];
  /** False: only the number of bytes is known. They stand in `sent` as if from the first one on. */
  readonly isPlaceKnown?: boolean;
}
