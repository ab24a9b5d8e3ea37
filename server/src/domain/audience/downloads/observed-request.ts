import type { ByteRange } from '../../../lib/byte-range.ts';
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
  /** The client's IP address. Never store or log it. */
  readonly address: string;
  readonly userAgent: string | undefined;
  /** A URL, as sent. */
  readonly referrer: string | undefined;
  /** `r` in the URL: the host of the page around the player's frame. As sent, not checked. */
  readonly framingHost: string | undefined;
  readonly method: string;
  readonly status: number;
  /** The client said that nobody requested it yet (`Sec-Purpose: prefetch`, or an older name). */
  readonly isPrefetch: boolean;
  readonly file: MediaFile;
  /**
   * What was delivered, by its place in the file: none for HEAD, a redirect or a refusal. A client
   * that disconnected has received less: some bytes are still in the buffers on the way.
   */
  readonly sent: readonly ByteRange[];
  /** False: only the number of bytes is known. They stand in `sent` as if from the first one on. */
  readonly isPlaceKnown?: boolean;
}

/** A response with audio that is still being sent. */
export interface OpenResponse {
  /** When the request came. */
  readonly at: Date;
  /** What was delivered so far. */
  observe(): ObservedRequest;
  /** Records it now. It goes on, and what is delivered later is not recorded. */
  report(): void;
  /** Closes its connection. It is then recorded like any that has ended. */
  breakOff(): void;
}

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
