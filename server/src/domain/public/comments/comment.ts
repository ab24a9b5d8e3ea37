/** A public reply to the post of an episode, or a reply to one. All texts come from other servers. */
export interface Comment {
  readonly name: string;
  /** `@name@host`. */
  readonly account: string;
  /** Where it was written; readers answer there. */
  readonly url: string;
  /** ISO 8601. */
  readonly at: string;
  /** Sanitized, without pictures. */
  readonly html: string;
  /** What its author warns of; null: nothing. */
  readonly warning: string | null;
  /** 0: a reply to the post itself. */
  readonly depth: number;
}

/** Mastodon gives anyone 60 replies. */
export const mostComments = 100;
/** All comments together, as HTML: they are stored, and become a part of the episode's page. */
export const mostCommentChars = 200_000;
export const deepestReply = 4;
/**
 * Of all shows together, as the database stores them. Shows have 200 posts each in 15 minutes, but an
 * account may have any number of shows.
 */
export const mostThreadBytes = 1_000_000_000;

/** For this long, the post is not requested again. */
export const freshMs = 15 * 60_000;
/** For this long, comments are shown while their server does not respond. */
export const staleMs = 24 * 60 * 60_000;
