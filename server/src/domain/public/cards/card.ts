/** The size that networks show large, in pixels. */
export const cardPx = { width: 1200, height: 630 } as const;
/** PAGE-16. */
export const mostCardBytes = 61_440;

/** The colors of a card, as `#rrggbb`; each text is legible on the ground. */
export interface CardColors {
  readonly ground: string;
  readonly ink: string;
  /** Secondary text. */
  readonly muted: string;
  /** Small shapes, and the place of a missing cover. */
  readonly tint: string;
}

/** What a card shows. Its texts are plain, as people wrote them, with any letters. */
export interface Card {
  /** The id of the picture on it. */
  readonly cover: string | null;
  /** The first letter of the show's title, for a card without cover. */
  readonly initial: string;
  readonly colors: CardColors;
  /** Of its texts: Chinese, Japanese and Korean write some letters differently. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** Above the main text: an episode's show. Empty: nothing. */
  readonly lead: string;
  /** A title, or what somebody says. */
  readonly main: string;
  readonly isQuote: boolean;
  /** Below: who makes the show, or says it. Empty: nothing. */
  readonly byline: string;
  /** Date and duration, by us; left out if they can't be written with the fonts. */
  readonly facts: string;
}
