import { escapeText } from '../../../../../lib/escape.ts';
import { feedGenerator } from '../../../../../lib/feed-generator.ts';
import { extraElementLimits } from '../../../../publishing/podcasts/extra-elements/index.ts';
import type { FeedLevel } from '../../../../publishing/podcasts/index.ts';
import { ElementDraft, readAttributes, startTag } from './element-draft.ts';
import { endsOpenText, type FeedElement, useOfElement } from './feed-element.ts';
import { FeedError, refuseRoot } from './feed-error.ts';
import {
  canonicalName,
  declareNamespaces,
  type NamespaceScope,
  NO_NAMESPACES,
  writtenName,
} from './namespaces.ts';
import { ExtraDraft } from './read-extra-elements.ts';
import { UnreadElements } from './unread-elements.ts';

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

/** How an item ended. Of an item that was too large, only the beginning is kept. */
export type ItemEnd = 'whole' | 'too_large' | 'cut_off';
export type OnItem = (item: FeedElement, end: ItemEnd) => void;

type Attributes = Readonly<Record<string, string>>;
/** An element with its name as it was written. */
type Written = { readonly name: string; readonly attributes: Attributes };

interface Frame {
  readonly place: Place;
  readonly scope: NamespaceScope;
  /**
   * Where its children and text are added: itself if it is kept, else the text that contains it.
   */
  readonly draft: ElementDraft | undefined;
  readonly endTag: string;
}

class Size {
  chars = 0;
  elements = 0;
}

/**
 * The size of a channel or an item: of the elements that we read, and of those that we only pass
 * on.
 */
class Sizes {
  readonly read = new Size();
  readonly extra = new Size();
}

/**
 * Builds the elements of a feed from the parser's events. Each item is passed on when it ends; only
 * the channel's own elements and the current item are in memory. Unknown elements are counted.
 */
export class FeedDocument {
  readonly channel = new ElementDraft('channel', new Map());
  /** Podstead has written it: our feeds name their generator before the first item. */
  isOurs = false;
  rootSeen = false;
  channelSeen = false;
  channelClosed = false;
  /** The root has closed: everything after it is ignored. */
  rootClosed = false;
  readonly #limits: FeedLimits;
  readonly #onItem: OnItem;
  readonly #frames: Frame[] = [];
  /** Unknown elements. */
  readonly unread = new UnreadElements();
  readonly #channelSizes = new Sizes();
  #item: { readonly draft: ElementDraft; readonly sizes: Sizes } | undefined;
  #inCdata = false;
  #over = false;

  constructor(limits: FeedLimits, onItem: OnItem) {
    this.#limits = limits;
    this.#onItem = onItem;
  }

  open(rawName: string, attributes: Attributes): void {
    if (this.#frames.length >= this.#limits.depth) {
      throw new FeedError('too_deep', `The feed nests over ${this.#limits.depth} elements.`);
    }
    const parent = this.#frames.at(-1);
    const scope = this.#scopeIn(parent, rawName, attributes);
    if (isMisread(rawName)) {
      this.#openMisread(rawName, attributes, scope);
      return;
    }
    const name = canonicalName(scope, rawName);
    const place = placeElement(this.#place, name, this.#level);
    const written = { name: writtenName(name, rawName), attributes };
    const draft = this.#draftFor(place, name, written, parent);
    this.#frames.push({ place, scope, draft, endTag: place === 'html' ? `</${rawName}>` : '' });
    if (place === 'html') this.#keep(startTag(rawName, attributes), 'markup');
  }

  /** `implied`: the element was closed without an end tag, as an empty-element tag is. */
  close(implied: boolean): void {
    const frame = this.#frames.at(-1);
    if (frame?.place === 'html' && !implied) this.#keep(frame.endTag, 'markup');
    this.#frames.pop();
    if (frame?.place === 'item' && frame.draft === this.#item?.draft) this.#endItem();
    if (frame?.draft?.name === 'generator') this.isOurs ||= frame.draft.text === feedGenerator;
    if (implied) return;
    if (frame?.place === 'channel') this.channelClosed = true;
    if (frame?.place === 'root') this.rootClosed = true;
  }

  text(raw: string): void {
    const place = this.#place;
    if (place === 'text' || place === 'extra') this.#keep(raw, this.#inCdata ? 'cdata' : 'raw');
    if (place === 'html') this.#keep(this.#inCdata ? escapeText(raw) : raw, 'markup');
  }

  cdata(open: boolean): void {
    this.#inCdata = open;
  }

  /** The document has ended: elements that close from now on are cut off. */
  end(): void {
    this.#over = true;
  }

  get #place(): Place {
    return this.#frames.at(-1)?.place ?? 'outside';
  }

  get #level(): FeedLevel {
    return this.#item === undefined ? 'channel' : 'item';
  }

  get #sizes(): Sizes {
    return this.#item?.sizes ?? this.#channelSizes;
  }

  /** A default namespace on the root is ignored. It is a mistake, and would hide all of RSS. */
  #scopeIn(parent: Frame | undefined, rawName: string, attributes: Attributes): NamespaceScope {
    const outer = parent?.scope ?? NO_NAMESPACES;
    if (!/^(?:rss|channel)$/i.test(rawName)) return declareNamespaces(outer, attributes);
    const { xmlns: _, ...prefixed } = attributes;
    return declareNamespaces(outer, prefixed);
  }

  #draftFor(
    place: Place,
    name: string,
    written: Written,
    parent: Frame | undefined,
  ): ElementDraft | undefined {
    switch (place) {
      case 'outside':
        refuseRoot(name);
        return undefined;
      case 'root':
        this.rootSeen = true;
        return undefined;
      case 'channel':
        this.rootSeen = true;
        this.channelSeen = true;
        return this.channel;
      case 'item':
        return this.#startItem();
      case 'html':
        return parent?.draft;
      case 'skipped':
        if (parent?.place === 'channel' || parent?.place === 'item') {
          this.unread.add(parent.place, written.name);
        }
        return undefined;
      case 'extra':
        return this.#addExtra(name, written, parent);
      default:
        return this.#addElement(name, written.attributes, parent);
    }
  }

  /**
   * `I <3 you</title>`: the parser loses the end tag in it, so what follows belongs to the item.
   */
  #openMisread(rawName: string, attributes: Attributes, scope: NamespaceScope): void {
    const [text = ''] = [rawName, ...Object.keys(attributes)].join(' ').split('<');
    this.text(`<${text}`);
    const place = this.#place;
    const after = place === 'text' || place === 'html' ? 'container' : 'skipped';
    const draft = this.#item?.draft ?? this.channel;
    this.#frames.push({ place: place === 'outside' ? place : after, scope, draft, endTag: '' });
  }

  #startItem(): ElementDraft {
    if (this.#item !== undefined) this.#endItem();
    const draft = new ElementDraft('item', new Map());
    this.#item = { draft, sizes: new Sizes() };
    return draft;
  }

  #endItem(): void {
    const item = this.#item;
    if (item === undefined) return;
    this.#item = undefined;
    if (this.#over) this.#onItem(item.draft, 'cut_off');
    else this.#onItem(item.draft, this.#exceeds(item.sizes.read) ? 'too_large' : 'whole');
  }

  #addElement(name: string, attributes: Attributes, parent: Frame | undefined): ElementDraft {
    const read = readAttributes(attributes);
    const draft = new ElementDraft(name, read);
    let chars = 0;
    for (const [key, value] of read) chars += key.length + value.length;
    if (!this.#countRead(chars, 1)) return draft;
    // An element that opens in an unclosed text belongs to the item, not to that text.
    const within = parent?.place === 'text' || parent?.place === 'html' ? undefined : parent?.draft;
    (within ?? this.#item?.draft ?? this.channel).children.push(draft);
    return draft;
  }

  /** An element that exceeds a limit is left out completely. */
  #addExtra(name: string, written: Written, parent: Frame | undefined): ElementDraft {
    const within = parent?.place === 'extra' ? parent.draft : undefined;
    const outer = within instanceof ExtraDraft ? within : undefined;
    const draft = new ExtraDraft(name, written, outer);
    let chars = written.name.length;
    for (const key of Object.keys(written.attributes)) {
      chars += key.length + (written.attributes[key]?.length ?? 0);
    }
    if (draft.depth > extraElementLimits.depth || !this.#countExtra(chars, 1)) this.#cut(draft);
    else (outer ?? this.#item?.draft ?? this.channel).children.push(draft);
    return draft;
  }

  #cut({ outermost }: ExtraDraft): void {
    if (!outermost.isCut) this.unread.add(this.#level, outermost.writtenName);
    outermost.cut();
  }

  #keep(text: string, kind: 'raw' | 'cdata' | 'markup'): void {
    const draft = this.#frames.at(-1)?.draft;
    if (draft === undefined) return;
    if (draft instanceof ExtraDraft) {
      if (!this.#countExtra(text.length, 0)) this.#cut(draft);
      if (draft.outermost.isCut) return;
    } else if (!this.#countRead(text.length, 0)) return;
    if (kind === 'raw') draft.addRaw(text);
    else if (kind === 'cdata') draft.addCdata(text);
    else draft.addMarkup(text);
  }

  /** Returns false if the item is too large. It is still read to its end, but not kept. */
  #countRead(chars: number, elements: number): boolean {
    const size = this.#sizes.read;
    size.chars += chars;
    size.elements += elements;
    if (!this.#exceeds(size)) return true;
    if (this.#item !== undefined) return false;
    throw new FeedError('too_large', 'The feed has more data about the show than can be imported.');
  }

  #countExtra(chars: number, elements: number): boolean {
    const size = this.#sizes.extra;
    size.chars += chars;
    size.elements += elements;
    return size.chars <= extraElementLimits.chars && size.elements <= extraElementLimits.elements;
  }

  #exceeds(size: Size): boolean {
    return size.chars > this.#limits.itemChars || size.elements > this.#limits.itemElements;
  }
}

/** No element has such a name: it is an unescaped `<` in a text. */
function isMisread(rawName: string): boolean {
  return !/^[\p{L}_:]/u.test(rawName);
}

/**
 * What an element is to us, by where it stands:
 * `outside` before the root · `root` rss · `channel` · `item` · `container` and `text` are kept ·
 * `html` is markup within a text · `extra` is passed on, `skipped` left out, with all that is in it.
 */
type Place =
  | 'outside'
  | 'root'
  | 'channel'
  | 'item'
  | 'container'
  | 'text'
  | 'html'
  | 'extra'
  | 'skipped';

const ROOTS: ReadonlySet<string> = new Set(['rss', 'rdf:rdf']);

/**
 * At the top of the document everything is outside. An item begins wherever `item` opens, whatever
 * element is still open; RSS 0.9 and 1.0 have items beside the channel.
 */
function placeElement(parent: Place, name: string, level: FeedLevel): Place {
  if (parent === 'outside') {
    if (ROOTS.has(name)) return 'root';
    return name === 'channel' ? 'channel' : 'outside';
  }
  if (name === 'item') return 'item';
  switch (parent) {
    case 'root':
      return name === 'channel' ? 'channel' : 'skipped';
    case 'text':
    case 'html':
      return endsOpenText(name) ? useOf(name, level) : 'html';
    case 'extra':
    case 'skipped':
      return parent;
    default:
      return useOf(name, level);
  }
}

function useOf(name: string, level: FeedLevel): Place {
  const use = useOfElement(name, level);
  return use === 'none' ? 'skipped' : use;
}
