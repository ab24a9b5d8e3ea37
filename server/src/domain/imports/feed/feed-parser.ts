import { Parser } from 'htmlparser2';
import { FeedDocument, type OnItem } from './feed-document.ts';
import type { FeedElement } from './feed-element.ts';
import { FeedError } from './feed-error.ts';
import type { FeedLimits } from './feed-limits.ts';
import { explainMissingRoot, refuseDeclaration } from './refuse-document.ts';
import type { UnreadElements } from './unread-elements.ts';

/** Comments, blank lines, a warning of the web server: this much may stand before the root. */
const MAX_CHARS_BEFORE_ROOT = 256_000;
const MAX_ATTRIBUTES = 1_000;
/** The start of the document, kept to say what it is where it is no feed. */
const START_CHARS = 200;
/** The parser looks at its limits between pieces of this size. */
const PIECE_CHARS = 65_536;

/** What is known of a feed when it is over; its items have been handed on by then. */
export interface FeedEnd {
  readonly channel: FeedElement;
  readonly truncated: boolean;
}

/**
 * Reads the text of a feed as it comes. Memory: the item being read and the text being read, both
 * bounded by `limits`; time: linear in the text. Throws `FeedError` and nothing else.
 */
export class FeedParser {
  readonly #limits: FeedLimits;
  readonly #document: FeedDocument;
  readonly #parser: Parser;
  #start = '';
  #written = 0;
  /** How much had been written when the parser last had something to say. */
  #heard = 0;
  #attributes = 0;
  #items = 0;

  constructor(limits: FeedLimits, onItem: OnItem) {
    this.#limits = limits;
    this.#document = new FeedDocument(limits, (item, end) => {
      this.#items += 1;
      if (this.#items > limits.items) {
        throw new FeedError('too_many_items', `The feed has more than ${limits.items} items.`);
      }
      onItem(item, end);
    });
    this.#parser = this.#createParser();
  }

  /** The feed is over, whatever else is sent: reading on is no use. */
  get finished(): boolean {
    return this.#document.rootClosed;
  }

  /** Counted while the feed is read. */
  get unread(): UnreadElements {
    return this.#document.unread;
  }

  write(text: string): void {
    if (this.#start.length < START_CHARS) this.#start += text.slice(0, START_CHARS);
    for (let at = 0; at < text.length && !this.finished; at += PIECE_CHARS) {
      this.#writePiece(text.slice(at, at + PIECE_CHARS));
    }
  }

  end(): FeedEnd {
    const document = this.#document;
    document.end();
    this.#parser.end();
    if (!document.rootSeen) throw explainMissingRoot(this.#start);
    if (!document.channelSeen) {
      throw new FeedError('no_channel', 'The feed has no <channel>, so there is no podcast in it.');
    }
    return {
      channel: document.channel,
      truncated: !document.channelClosed && !document.rootClosed,
    };
  }

  #writePiece(piece: string): void {
    this.#written += piece.length;
    this.#parser.write(piece);
    if (this.#written - this.#heard > this.#limits.textChars) {
      throw new FeedError('too_large', 'One text of the feed is larger than can be taken in.');
    }
    if (!this.#document.rootSeen && this.#written > MAX_CHARS_BEFORE_ROOT) {
      throw explainMissingRoot(this.#start);
    }
  }

  /** References are left to us, so that CDATA can be told from text, and nothing is expanded. */
  #createParser(): Parser {
    const document = this.#document;
    const heard = () => {
      this.#heard = this.#written;
    };
    return new Parser(
      {
        onattribute: () => this.#countAttribute(),
        onopentag: (name, attributes) => {
          heard();
          this.#attributes = 0;
          document.open(name, attributes);
        },
        onclosetag: (_name, implied) => {
          heard();
          document.close(implied);
        },
        ontext: (text) => {
          heard();
          document.text(text);
        },
        oncdatastart: () => document.cdata(true),
        oncdataend: () => document.cdata(false),
        oncomment: heard,
        onprocessinginstruction: (_name, data) => {
          heard();
          if (data.startsWith('!')) refuseDeclaration(data);
        },
      },
      { xmlMode: true, decodeEntities: false },
    );
  }

  #countAttribute(): void {
    this.#attributes += 1;
    if (this.#attributes > MAX_ATTRIBUTES) {
      throw new FeedError('too_large', 'An element of the feed has too many attributes.');
    }
  }
}
