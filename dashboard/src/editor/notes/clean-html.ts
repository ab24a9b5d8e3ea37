import { tryNormalizeLink } from '../../../../server/src/lib/html/link.ts';
import {
  divisionElements,
  droppedElements,
  linkProtocols,
  linkRelation,
  showNotesElements,
} from '../../../../server/src/lib/html/show-notes-elements.ts';
import { parseHtml } from './disarm-html.ts';

export interface CleanHtml {
  readonly html: string;
  /** Names of elements that show notes cannot contain, in the order of their appearance. */
  readonly removed: readonly string[];
}

const allowed = new Set(showNotesElements);
const dropped = new Set(droppedElements);
const divisions = new Set(divisionElements);
/** Elements without a meaning of their own. */
const silent = new Set([
  'html',
  'head',
  'body',
  'span',
  'meta',
  'link',
  'font',
  'tbody',
  'colgroup',
  'col',
  'o:p',
]);

/** HTML with only what the server keeps in show notes. Nothing of it is loaded or run. */
export function cleanHtml(html: string): CleanHtml {
  return cleanBody(parseHtml(html));
}

export function cleanBody(body: HTMLElement): CleanHtml {
  const removed = new Set<string>();
  for (const comment of commentsIn(body)) comment.remove();
  // Inner elements first: an element that is unwrapped has clean children.
  for (const element of [...body.querySelectorAll('*')].reverse()) cleanElement(element, removed);
  return { html: body.innerHTML, removed: [...removed].reverse() };
}

function commentsIn(body: HTMLElement): Comment[] {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_COMMENT);
  const comments: Comment[] = [];
  while (walker.nextNode() !== null) comments.push(walker.currentNode as Comment);
  return comments;
}

function cleanElement(element: Element, removed: Set<string>): void {
  const name = element.localName;
  if (dropped.has(name)) {
    removed.add(name);
    element.remove();
  } else if (name === 'h1') rename(element, 'h2');
  else if (divisions.has(name)) rename(element, 'div');
  else if (name === 'a') cleanLink(element);
  else if (name === 'img') cleanPicture(element, removed);
  else if (allowed.has(name)) removeAttributes(element);
  else {
    if (!silent.has(name)) removed.add(name);
    element.replaceWith(...element.childNodes);
  }
}

function rename(element: Element, name: string): void {
  const renamed = element.ownerDocument.createElement(name);
  renamed.append(...element.childNodes);
  element.replaceWith(renamed);
}

function removeAttributes(element: Element, kept: readonly string[] = []): void {
  for (const { name } of [...element.attributes]) {
    if (!kept.includes(name)) element.removeAttribute(name);
  }
}

function cleanLink(link: Element): void {
  const href = tryNormalizeLink(link.getAttribute('href') ?? '', linkProtocols);
  if (href === undefined) {
    link.replaceWith(...link.childNodes);
    return;
  }
  removeAttributes(link);
  link.setAttribute('href', href);
  link.setAttribute('rel', linkRelation);
}

function cleanPicture(picture: Element, removed: Set<string>): void {
  const src = tryNormalizeLink(picture.getAttribute('src') ?? '', ['https:']);
  if (src === undefined) {
    removed.add('img');
    picture.remove();
    return;
  }
  removeAttributes(picture, ['alt', 'width', 'height']);
  picture.setAttribute('src', src);
}
