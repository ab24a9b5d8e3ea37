/** Limits of a feed. A feed that exceeds one is refused, unless it says otherwise. */
export interface FeedLimits {
  /** The whole document, as sent. */
  readonly totalBytes: number;
  readonly items: number;
  /** Nested elements. */
  readonly depth: number;
  /** One text, comment, tag or CDATA section, which the parser keeps in memory as a whole. */
  readonly textChars: number;
  /** The size of one item, or of the channel; a larger item is left out. */
  readonly itemChars: number;
  /** Elements kept of one item (or of the channel); an item with more is left out. */
  readonly itemElements: number;
}

const MB = 1_000_000;

/** Shows of 100,000 episodes exist; no item of a real feed comes near 4 million characters. */
export const DEFAULT_FEED_LIMITS: FeedLimits = {
  totalBytes: 100 * MB,
  items: 200_000,
  depth: 200,
  textChars: 10 * MB,
  itemChars: 4 * MB,
  itemElements: 10_000,
};
