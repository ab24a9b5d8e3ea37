import sanitizeHtml from 'sanitize-html';
import { htmlToPlainText } from './html-to-plain-text.ts';
import { tryNormaliseLink } from './link.ts';
import { plainTextToHtml } from './plain-text-to-html.ts';
import { removeForbiddenCharacters } from './text.ts';

/** In UTF-16 units. The longest show notes in the wild have some 60,000. */
export const maxShowNotesLength = 200_000;

/**
 * Show notes from anywhere (an editor, a feed), made safe for our pages, for other people's
 * readers and inside CDATA: text, lists, headings, tables, links, pictures; nothing that runs,
 * styles, embeds, or points into the page. Well-formed (`<br />`), and a fixed point: sanitising
 * twice changes nothing. Throws RangeError beyond maxShowNotesLength.
 */
export function sanitiseShowNotes(html: string): string {
  refuseTooLong(html);
  const result = settle(html);
  refuseTooLong(result);
  return result;
}

/** Of what comes in and of what comes out (escaping lengthens), so that twice is never refused. */
function refuseTooLong(html: string): void {
  if (html.length > maxShowNotesLength) {
    throw new RangeError(`show notes have at most ${maxShowNotesLength} characters`);
  }
}

function settle(html: string): string {
  let result = pass(html);
  for (let passes = 1; passes < maxPasses; passes += 1) {
    const again = pass(result);
    if (again === result) return result;
    result = again;
  }
  // Markup so broken that every reading changes it: its words are all that is kept.
  return plainTextToHtml(htmlToPlainText(html));
}

const maxPasses = 6;
const relation = 'nofollow noopener';
const maxTrackerSidePx = 2;
// Marks what is to be unwrapped: `span` is let through the sanitiser without any attribute, and
// since every other "<" has been escaped by then, taking it out again is exact.
const unwrapped = 'span';
const unwrappedTags = /<\/?span>/g;

function pass(html: string): string {
  const clean = sanitizeHtml(removeForbiddenCharacters(html), options);
  // Again, for those that came as `&#1;`.
  return removeForbiddenCharacters(clean).replace(unwrappedTags, '').trim();
}

const asDivision: sanitizeHtml.Transformer = () => ({ tagName: 'div', attribs: {} });
const divisions = [
  'article',
  'section',
  'main',
  'header',
  'footer',
  'aside',
  'figure',
  'address',
  'center',
];

const options: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'div', 'br', 'hr', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'code'],
    ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
    ...['a', 'img', 'em', 'strong', 'b', 'i', 'u', 's', 'sub', 'sup', 'small', unwrapped],
  ],
  allowedAttributes: {
    a: ['href', 'rel'],
    img: ['src', 'alt', 'width', 'height', 'loading', 'referrerpolicy'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['https'] },
  allowProtocolRelative: false,
  nonTextTags: [
    'script',
    'style',
    'textarea',
    'option',
    'xmp',
    'title',
    'noscript',
    'template',
    'iframe',
    'object',
    'svg',
    'math',
  ],
  nestingLimit: 40,
  transformTags: {
    a: transformLink,
    img: transformPicture,
    // The page that shows the notes has a first heading of its own.
    h1: () => ({ tagName: 'h2', attribs: {} }),
    ...Object.fromEntries(divisions.map((tag) => [tag, asDivision])),
  },
};

function transformLink(_tag: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const href = tryNormaliseLink(attribs['href'] ?? '', ['http:', 'https:', 'mailto:']);
  if (href === undefined) return { tagName: unwrapped, attribs: {} };
  return { tagName: 'a', attribs: { href, rel: relation } };
}

/**
 * Pictures stay, being a part of what a show tells and imports; over https alone (else no page
 * shows them), loaded only when seen, and not told which page they stand on. Counting pixels go.
 */
function transformPicture(_tag: string, attribs: sanitizeHtml.Attributes): sanitizeHtml.Tag {
  const src = tryNormaliseLink(attribs['src'] ?? '', ['https:']);
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
