import {
  isExtraAttributeName,
  isExtraElementName,
} from '../../../../publishing/podcasts/extra-elements/index.ts';
import type { ExtraElement, FeedLevel } from '../../../../publishing/podcasts/index.ts';
import { decodeReferences } from './character-references.ts';
import { ElementDraft, readAttributes } from './element-draft.ts';
import type { FeedElement } from './feed-element.ts';
import { dropForbidden } from './field-text.ts';
import type { UnreadElements } from './unread-elements.ts';

/**
 * The elements of a channel or an item that we only pass on, as data. An element that our feed
 * cannot write (with an invalid name, or of a namespace that our feed does not declare) is left out
 * and counted.
 */
export function readExtraElements(
  holder: FeedElement,
  level: FeedLevel,
  unread: UnreadElements,
): ExtraElement[] {
  return holder.children.flatMap((child) =>
    child instanceof ExtraDraft && !child.isCut ? readExtra(child, level, unread) : [],
  );
}

/** Empty if it is left out. */
function readExtra(draft: ExtraDraft, level: FeedLevel, unread: UnreadElements): ExtraElement[] {
  const name = draft.writtenName;
  if (!isExtraElementName(name)) {
    unread.add(level, draft.depth === 1 ? name : `${draft.outermost.writtenName} > ${name}`);
    return [];
  }
  const attributes: [string, string][] = [];
  for (const [key, value] of Object.entries(draft.writtenAttributes)) {
    if (/^xmlns(?::|$)/.test(key)) continue;
    if (isExtraAttributeName(key)) attributes.push([key, readValue(value)]);
    else unread.add(level, `${name}@${key}`);
  }
  const text = dropForbidden(draft.text).replace(/\r\n?/g, '\n').trim();
  const children = draft.children.flatMap((child) =>
    child instanceof ExtraDraft ? readExtra(child, level, unread) : [],
  );
  return [{ name, attributes, text, children }];
}

/** White space in a value becomes a space, as in XML. */
function readValue(raw: string): string {
  return dropForbidden(decodeReferences(raw)).replace(/[\t\n\r]/g, ' ');
}

/** An element that we only pass on, while it is being read. Its names stay as they are written. */
export class ExtraDraft extends ElementDraft {
  readonly writtenName: string;
  readonly writtenAttributes: Readonly<Record<string, string>>;
  /** Its depth, from 1 for the outermost element that is passed on. */
  readonly depth: number;
  readonly outermost: ExtraDraft;
  /** It exceeds a limit, so nothing of it is passed on. */
  isCut = false;

  constructor(
    name: string,
    written: { readonly name: string; readonly attributes: Readonly<Record<string, string>> },
    outer: ExtraDraft | undefined,
  ) {
    super(name, readAttributes(written.attributes));
    this.writtenName = written.name;
    this.writtenAttributes = written.attributes;
    this.depth = outer === undefined ? 1 : outer.depth + 1;
    this.outermost = outer?.outermost ?? this;
  }

  /** Releases everything in it. */
  cut(): void {
    this.isCut = true;
    this.children.length = 0;
  }
}
