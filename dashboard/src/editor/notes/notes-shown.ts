import { findTimestamps } from '../../../../server/src/lib/html/timestamp.ts';
import { cleanBody } from './clean-html.ts';
import { parseHtml } from './disarm-html.ts';
import { keptPlaceholder, picturePlaceholder } from './placeholders.ts';

/**
 * Show notes as the editor shows them, without loading it. They contain nothing that loads or runs.
 */
export function showNotes(html: string): string {
  const body = parseHtml(html);
  cleanBody(body);
  for (const picture of body.querySelectorAll('img')) picture.replaceWith(shownPicture(picture));
  for (const element of body.querySelectorAll<HTMLElement>('table, dl')) {
    if (element.isConnected) element.replaceWith(shownKept(element));
  }
  for (const division of [...body.querySelectorAll('div:not([data-kept])')].reverse()) {
    if (division.querySelector('p, div, ul, ol, pre, blockquote, h2, h3, h4, h5, h6') !== null) {
      division.replaceWith(...division.childNodes);
    }
  }
  for (const line of body.querySelectorAll('p:empty'))
    line.append(line.ownerDocument.createElement('br'));
  markTimes(body);
  return body.innerHTML;
}

function shownPicture(picture: HTMLImageElement): HTMLElement {
  const shown = picture.ownerDocument.createElement('span');
  const { src, words } = picturePlaceholder(
    picture.getAttribute('src'),
    picture.getAttribute('alt'),
  );
  shown.dataset['picture'] = '';
  shown.title = src;
  shown.textContent = words;
  return shown;
}

function shownKept(element: HTMLElement): HTMLElement {
  const shown = element.ownerDocument.createElement('div');
  shown.dataset['kept'] = '';
  shown.textContent = keptPlaceholder(element);
  return shown;
}

function markTimes(body: HTMLElement): void {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode() !== null) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    if (text.parentElement?.closest('a, code, pre, [data-kept], [data-picture]')) continue;
    // From the last one, so that the places of earlier ones stay.
    for (const { index, text: time } of [...findTimestamps(text.data)].reverse()) {
      const marked = body.ownerDocument.createElement('span');
      marked.dataset['timestamp'] = '';
      text.splitText(index).splitText(time.length);
      text.nextSibling?.replaceWith(marked);
      marked.textContent = time;
    }
  }
}

/** Whether a plain text has the words of the notes, without regard to the text around them. */
export function hasWordsOf(html: string, text: string): boolean {
  const marks = /^[ \t]*(?:-|\d{1,6}\.)[ \t]|[ \t]\([^\s()]{1,2000}\)/gm;
  const wordsOf = (words: string) => words.replace(/\s/g, '');
  return (
    wordsOf(text.replace(marks, '')) === wordsOf(parseHtml(html).textContent.replace(marks, ''))
  );
}
