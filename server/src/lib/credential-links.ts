import { carriesCredential } from './credential.ts';

/** A run of characters that can be a link, with the space before it. */
const CANDIDATE = /( ?)([^\s<>"`“”„«»。，、！？）】」』]+)/g;
/** `example.com/x?…`: a link without a scheme. Email addresses do not match. */
const BARE_LINK = /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?::\d+)?[/?#]/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const SCHEME_CHARACTER = /[A-Za-z0-9+.-]/;
const CLOSING = new Set(".,;:!?)]}'’…");

/**
 * Removes links that carry a credential from a transcript's text before it is stored
 * (KEYED-20). The words and punctuation around a link stay.
 */
export function removeCredentialLinks(text: string): string {
  let kept = '';
  let done = 0;
  // One match at a time: `replace` with a function keeps all of them, each with 240 bytes.
  for (const { index, 0: all, 1: space = '', 2: candidate = '' } of text.matchAll(CANDIDATE)) {
    const start = findLinkStart(candidate);
    if (start === undefined || !holdsCredential(candidate.slice(start))) continue;
    const before = candidate.slice(0, start);
    const after = candidate.slice(findLinkEnd(candidate));
    kept += text.slice(done, index) + (before === '' ? '' : space) + before + after;
    done = index + all.length;
  }
  return done === 0 ? text : (kept + text.slice(done)).trim();
}

/** Where a link begins in a run of characters; undefined if there is none. */
function findLinkStart(run: string): number | undefined {
  const separator = run.indexOf('://');
  if (separator > 0) return schemeStart(run, separator, 0);
  const start = run.search(LETTER_OR_DIGIT);
  return start >= 0 && BARE_LINK.test(run.slice(start)) ? start : undefined;
}

function findLinkEnd(run: string): number {
  let end = run.length;
  while (CLOSING.has(run.charAt(end - 1))) end -= 1;
  return end;
}

/** Checks the link, and every link inside it. */
function holdsCredential(link: string): boolean {
  if (!link.includes('://')) return carriesCredential(`https://${link}`);
  if (carriesCredential(link)) return true;
  let start = 0;
  let separator = link.indexOf('://');
  while (separator >= 0) {
    const next = link.indexOf('://', separator + 3);
    const end = next < 0 ? link.length : schemeStart(link, next, separator + 3);
    if (carriesCredential(link.slice(start, end))) return true;
    start = end;
    separator = next;
  }
  return false;
}

function schemeStart(text: string, separator: number, from: number): number {
  let start = separator;
  while (start > from && SCHEME_CHARACTER.test(text.charAt(start - 1))) start -= 1;
  return start;
}
