import { Parser } from 'htmlparser2';
import { FeedDocument, type FeedLimits, type OnItem } from './feed-document.ts';
import type { FeedElement } from './feed-element.ts';
import { explainMissingRoot, FeedError, refuseDeclaration } from './feed-error.ts';
import type { UnreadElements } from './unread-elements.ts';

/** How much may precede the root: comments, blank lines, a warning from the web server. */
const MAX_CHARS_BEFORE_ROOT = 256_000;
const MAX_ATTRIBUTES = 1_000;
/** The start of the document, kept to say what it is if it is not a feed. */
const START_CHARS = 200;
/** Limits are checked between pieces of this size. */
const PIECE_CHARS = 65_536;

/** The result when a feed ends; its items have been passed on by then. */
export interface FeedEnd {
  readonly channel: FeedElement;
  readonly truncated: boolean;
}

/**
 * Reads the text of a feed piece by piece. Memory is bounded by `limits`: the current item and the
 * current text. Takes linear time. Throws only `FeedError`.
 */
export class FeedParser {
  readonly #limits: FeedLimits;
  readonly #document: FeedDocument;
  readonly #parser: Parser;
  #start = '';
  #written = 0;
  /** The value of `#written` at the parser's last event. */
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

  /** The feed has ended; the rest of the source need not be read. */
  get finished(): boolean {
    return this.#document.rootClosed;
  }

  /** Counted while the feed is read. */
  get unread(): UnreadElements {
    return this.#document.unread;
  }

  /** Podstead names itself before the first item. */
  get isOurs(): boolean {
    return this.#document.isOurs;
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
      throw new FeedError('too_large', 'One text in the feed is too large to import.');
    }
    if (!this.#document.rootSeen && this.#written > MAX_CHARS_BEFORE_ROOT) {
      throw explainMissingRoot(this.#start);
    }
  }

  /** We resolve references ourselves, to distinguish CDATA from text, and to expand no entities. */
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
