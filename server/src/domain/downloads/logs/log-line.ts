/** One request as a line of an access log tells it, whatever the log's format. */
export interface LogLine {
  /** When it began; if the log knows only its end and not how long it took, its end. */
  readonly at: Date;
  /** An IP address in the form of `canonicalAddress`: neither to be stored nor logged. */
  readonly address: string;
  readonly method: string;
  /** Path and query, or the key of an object behind a slash. */
  readonly target: string;
  readonly status: number;
  /** Bytes of the body that were sent; the fewest they can be where the log counts headers too. */
  readonly bodyBytes: number;
  /**
   * The Range header, or what was sent in its form; empty: the request had none; undefined: the log
   * does not say.
   */
  readonly range: string | undefined;
  readonly userAgent: string | undefined;
  readonly referrer: string | undefined;
  readonly isPrefetch: boolean;
}

/**
 * `other`: readable, but no request of a client, such as a comment or a program's own access.
 * `unreadable`: in none of the formats.
 */
export type ReadLine = LogLine | 'other' | 'unreadable';

/** Lines that are longer are unreadable; the longest that servers write have some 20 kB. */
export const maxLineBytes = 64 * 1024;
