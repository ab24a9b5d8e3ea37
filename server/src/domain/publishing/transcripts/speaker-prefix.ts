import { readFileSync } from 'node:fs';
import { maxSegments, type RawSegment } from './transcript.ts';

// One to four words that begin like names: `Ana`, `Dr. Mae West`, `SPEAKER_00`, `[Host]`, `田中`.
const nameWord = String.raw`[\p{Lu}\p{Lo}\p{N}(][\p{L}\p{M}\p{N}'’._()-]*`;
const prefix = new RegExp(
  String.raw`^\s*(?:>>+\s*|-\s+)?(\[?)(${nameWord}(?: ${nameWord}){0,3})(\]?)\s?(?::(?=\s|$)|：)\s*`,
  'u',
);
const machineName =
  /^(?:speaker|spk|sprecher(?:in)?|locuteur|locutor|hablante|falante|relatore|spreker|guest|host|person|participant)[ _-]?[a-z\d]{1,3}$/i;
const maxNameLength = 50;
const maxPrefixLength = 120;

interface Named {
  readonly name: string;
  readonly rest: string;
  /** It looks like a person's name, or a program's, even if it occurs once. */
  readonly isClear: boolean;
  /** Only programs write so. */
  readonly isMachine: boolean;
}

function trySplit(text: string): Named | undefined {
  const match = prefix.exec(text.slice(0, maxPrefixLength));
  const [all = '', open, name = '', close] = match ?? [];
  const isName = match !== null && (open === '[') === (close === ']') && /\p{L}/u.test(name);
  if (!isName || name.length > maxNameLength) return undefined;
  const rest = text.slice(all.length);
  const isMachine = open === '[' || machineName.test(name);
  const isAlone = rest.trim() === '' || all.trimStart().includes('\n');
  const isMarked = /^\s*[->]/.test(all);
  const isClear = isMachine || isAlone || isMarked || name.includes(' ');
  return { name, rest, isMachine, isClear };
}

/** True if takePrefixes may read the beginning of this text as a speaker's name. */
export function looksPrefixed(text: string): boolean {
  return trySplit(text) !== undefined;
}

export interface PrefixOptions {
  /** A name before the first caption counts, also if there is no other (usual in SubRip). */
  readonly trustsFirst?: boolean;
  /** Line breaks mean nothing, as in HTML. */
  readonly isOneLine?: boolean;
}

/**
 * Captions without voice tags name their speakers as `Ana: Hello`. "Note: bring a coat" looks the
 * same. So names count only in a file that clearly has some: one is repeated, a program wrote them,
 * or several are full names. In such a file a name counts even if it occurs once, because the
 * words of a guest who speaks once are not the host's. Words that are never names do not count. Two
 * people in one caption become two segments.
 */
export function takePrefixes(
  segments: readonly RawSegment[],
  { trustsFirst = false, isOneLine = false }: PrefixOptions = {},
): RawSegment[] {
  const pieces = segments.map((segment) => (isOneLine ? [segment.text] : beginLines(segment.text)));
  const split = pieces.map((texts) => texts.map(trySplitName));
  const counts = countNames(split);
  if (!hasNames(split, counts, trustsFirst)) return [...segments];
  return segments.flatMap((segment, index) => {
    const parts: RawSegment[] = [];
    for (const [place, text] of (pieces[index] ?? []).entries()) {
      const found = split[index]?.[place];
      const before = parts.at(-1);
      const isTaken = found !== undefined && (place === 0 || isKnown(found, counts));
      if (isTaken) parts.push({ ...segment, speaker: found.name, text: found.rest });
      else if (before === undefined) parts.push({ ...segment, text });
      else parts[parts.length - 1] = { ...before, text: `${before.text}\n${text}` };
    }
    return parts;
  });
}

/** In the middle of a caption, a word before a colon is more often a part of a sentence. */
function isKnown({ name, isClear }: Named, counts: ReadonlyMap<string, number>): boolean {
  return isClear || (counts.get(name) ?? 0) > 1;
}

/** The text in pieces, each of which begins with what may be a name. */
function beginLines(text: string): string[] {
  if (!text.includes('\n') || !/[:：]/.test(text)) return [text];
  const lines = text.split('\n', maxSegments + 1);
  if (lines.length > maxSegments) return [text];
  const pieces: string[] = [];
  for (const line of lines) {
    if (pieces.length === 0 || trySplit(line) !== undefined) pieces.push(line);
    else pieces[pieces.length - 1] += `\n${line}`;
  }
  // Empty lines before the first name.
  if (pieces.length > 1 && pieces[0]?.trim() === '') pieces.shift();
  return pieces;
}

function trySplitName(text: string): Named | undefined {
  const found = trySplit(text);
  return found === undefined || isNoName(found.name) ? undefined : found;
}

function countNames(split: readonly (readonly (Named | undefined)[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const found of split.flat()) {
    if (found !== undefined) counts.set(found.name, (counts.get(found.name) ?? 0) + 1);
  }
  return counts;
}

function hasNames(
  split: readonly (readonly (Named | undefined)[])[],
  counts: ReadonlyMap<string, number>,
  trustsFirst: boolean,
): boolean {
  const firsts = split.flatMap(([found]) => found ?? []);
  if (firsts.some(({ name, isMachine }) => isMachine || (counts.get(name) ?? 0) > 1)) return true;
  if (trustsFirst && split[0]?.[0] !== undefined) return true;
  const clear = new Set(firsts.filter(({ isClear }) => isClear).map(({ name }) => name));
  return clear.size > 1;
}

let noNames: ReadonlySet<string> | undefined;

/** Words before a colon that are not names, in seven languages: `Warning`, `Und Frage`. */
function isNoName(name: string): boolean {
  noNames ??= loadNoNames();
  const words = name.toLowerCase().replaceAll('’', "'").split(' ');
  return words.some((word) => noNames?.has(word.replace(/'s$/, '')) === true);
}

function loadNoNames(): Set<string> {
  const file = readFileSync(new URL('not-speakers.json', import.meta.url), 'utf8');
  const byLanguage = JSON.parse(file) as Readonly<Record<string, string>>;
  return new Set(Object.values(byLanguage).flatMap((words) => words.split(' ')));
}

/**
 * Files that name a speaker only after a change of speaker (as the Podcasting 2.0 namespace
 * recommends) mean the name for all following captions. A file that repeats a name in consecutive
 * captions names every speaker, so a caption without a name has no speaker.
 */
export function carrySpeakers(segments: readonly RawSegment[]): RawSegment[] {
  const namesAll = segments.some(
    ({ speaker }, index) => speaker !== '' && speaker === segments[index - 1]?.speaker,
  );
  if (namesAll) return [...segments];
  let speaker = '';
  return segments.map((segment) => {
    if (segment.speaker !== '') speaker = segment.speaker;
    return { ...segment, speaker };
  });
}
