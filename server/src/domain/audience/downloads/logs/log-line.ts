/** One request from a line of an access log, in any format. */
export interface LogLine {
  /** The time of its beginning; if the log only knows its end and not its duration, its end. */
  readonly at: Date;
  /** An IP address in the form of `canonicalAddress`. Never store or log it. */
  readonly address: string;
  readonly method: string;
  /** Path and query, or the key of an object behind a slash. */
  readonly target: string;
  readonly status: number;
  /** Bytes of the body that were sent; the lowest possible number if the log counts headers too. */
  readonly bodyBytes: number;
  /**
   * The Range header, or the sent range in its form; empty: the request had none; undefined: the
   * log does not say.
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

/** Says where a log has its first unreadable line, without its content, which has an address. */
export interface UnreadableLine {
  /** Of all lines of the file; the first is 1. */
  readonly number: number;
  /** Of a sentence about the line: `has no time`. */
  readonly trouble: string;
}

/** Lines that are longer are unreadable; the longest that servers write have some 20 kB. */
export const maxLineBytes = 64 * 1024;
