import type sanitizeHtml from 'sanitize-html';
import { loadSanitizeHtml, removeForbiddenCharacters } from './html-readers.ts';
import { htmlToPlainText } from './html-to-plain-text.ts';
import { maxNesting } from './limit-nesting.ts';
import { tryNormalizeLink } from './link.ts';
import { nameLinksAndHeadings } from './name-links-and-headings.ts';
import { plainTextToHtml } from './plain-text-to-html.ts';
import {
  commentElements,
  divisionElements,
  droppedElements,
  linkProtocols,
  linkRelation,
  showNotesElements,
} from './show-notes-elements.ts';

/** In UTF-16 units. The longest real show notes have some 60,000. */
export const maxShowNotesLength = 200_000;

/**
 * Sanitizes show notes from any source for our pages, other readers and CDATA. Keeps text, lists,
 * headings, tables, links and images; removes everything that runs, styles, embeds or links into
 * the page. The result is well-formed (`<br />`), and sanitizing it again changes nothing. A link
 * with only an image gets its host as a name. Throws RangeError beyond maxShowNotesLength.
 */
export function sanitizeShowNotes(html: string): string {
  refuseTooLong(html);
  const result = settle(html, notesOptions);
  refuseTooLong(result);
  return result;
}

/** The same for a comment from elsewhere: without pictures, headings and tables. */
export function sanitizeComment(html: string): string {
  refuseTooLong(html);
  return settle(html, commentOptions);
}

/** Checks input and output (escaping lengthens text), so that sanitizing again never throws. */
function refuseTooLong(html: string): void {
  if (html.length > maxShowNotesLength) {
    throw new RangeError(`show notes have at most ${maxShowNotesLength} characters`);
  }
}

function settle(html: string, options: sanitizeHtml.IOptions): string {
  try {
    let result = pass(html, options);
    for (let passes = 1; passes < maxPasses; passes += 1) {
      const again = pass(result, options);
      if (again === result) return result;
      result = again;
    }
  } catch (error) {
    if (!(error instanceof TooDeepError)) throw error;
  }
  // Absurdly nested markup, or markup that changes with every parse: keep only the text.
  return plainTextToHtml(htmlToPlainText(html));
}

class TooDeepError extends Error {}

const maxPasses = 6;
const maxTrackerSidePx = 2;
// Marks tags to unwrap. The sanitizer lets `span` through without attributes, and every other "<"
// is escaped by then, so removing the tags is exact.
const unwrapped = 'span';
const unwrappedTags = /<\/?span>/g;

function pass(html: string, options: sanitizeHtml.IOptions): string {
  let depth = 0;
  const clean = loadSanitizeHtml()(removeForbiddenCharacters(html), {
    ...options,
    onOpenTag() {
      depth += 1;
      if (depth > maxNesting) throw new TooDeepError();
    },
    onCloseTag() {
      depth -= 1;
    },
  });
  // Again, for characters written as `&#1;`.
  return nameLinksAndHeadings(removeForbiddenCharacters(clean).replace(unwrappedTags, '')).trim();
}

const asDivision: sanitizeHtml.Transformer = () => ({ tagName: 'div', attribs: {} });
const notesOptions: sanitizeHtml.IOptions = {
  allowedTags: [...showNotesElements, unwrapped],
  allowedAttributes: {
    a: ['href', 'rel'],
    img: ['src', 'alt', 'width', 'height', 'loading', 'referrerpolicy'],
  },
  allowedSchemes: linkProtocols.map((protocol) => protocol.slice(0, -1)),
  allowedSchemesByTag: { img: ['https'] },
  allowProtocolRelative: false,
  nonTextTags: [...droppedElements],
  nestingLimit: 40,
  transformTags: {
    a: transformLink,
    img: transformPicture,
    // The page around the notes has the only h1.
    h1: () => ({ tagName: 'h2', attribs: {} }),
    ...Object.fromEntries(divisionElements.map((tag) => [tag, asDivision])),
  },
};

const commentOptions: sanitizeHtml.IOptions = {
  ...notesOptions,
  allowedTags: [...commentElements, unwrapped],
  allowedAttributes: { a: ['href', 'rel'] },
  transformTags: { a: transformLink, div: 'p' },
};

function transformLink(_tag: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const href = tryNormalizeLink(attribs['href'] ?? '', linkProtocols);
  if (href === undefined) return { tagName: unwrapped, attribs: {} };
  return { tagName: 'a', attribs: { href, rel: linkRelation } };
}

/**
 * Images stay, because shows use them, but only over https, lazy, and without a referrer. Tracking
 * pixels are removed.
 */
function transformPicture(_tag: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const src = tryNormalizeLink(attribs['src'] ?? '', ['https:']);
  const sides = { width: attribs['width'], height: attribs['height'] };
  const isTracker = Object.values(sides).some(
    (side) => Number(side ?? '') <= maxTrackerSidePx && isPixels(side),
  );
  if (src === undefined || isTracker) return { tagName: unwrapped, attribs: {} };
  const kept = Object.entries(sides).filter(([, side]) => isPixels(side));
  return {
    tagName: 'img',
    attribs: {
      src,
      alt: attribs['alt'] ?? '',
      ...(Object.fromEntries(kept) as Record<string, string>),
      loading: 'lazy',
      referrerpolicy: 'no-referrer',
    },
  };
}

function isPixels(side: string | undefined): side is string {
  return side !== undefined && /^\d{1,4}$/.test(side);
}
