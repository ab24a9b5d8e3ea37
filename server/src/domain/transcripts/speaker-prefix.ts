import type { RawSegment } from './transcript.ts';

// One to four words that begin like names: `Ana`, `Dr. Mae West`, `SPEAKER_00`, `[Host]`, `田中`.
const nameWord = String.raw`[\p{Lu}\p{Lo}\p{N}(][\p{L}\p{M}\p{N}'’._()-]*`;
const prefix = new RegExp(
  String.raw`^\s*(?:>>+\s*|-\s+)?(\[?)(${nameWord}(?: ${nameWord}){0,3})(\]?)\s?(?::(?=\s|$)|：)\s*`,
  'u',
);
const maxNameLength = 50;
const maxPrefixLength = 120;

interface Named {
  readonly name: string;
  readonly rest: string;
}

function trySplit(text: string): Named | undefined {
  const match = prefix.exec(text.slice(0, maxPrefixLength));
  const [all = '', open, name = '', close] = match ?? [];
  const isName = match !== null && (open === '[') === (close === ']') && /\p{L}/u.test(name);
  return isName && name.length <= maxNameLength
    ? { name, rest: text.slice(all.length) }
    : undefined;
}

/** True if takePrefixes may read the beginning of this text as a speaker's name. */
export function looksPrefixed(text: string): boolean {
  return trySplit(text) !== undefined;
}

/**
 * Captions without voice tags name their speakers as `Ana: Hello`. "Note: bring a coat" looks the
 * same, so a name counts only if it is before more than one caption. The name before the first
 * caption counts if other names do, and with `trustsFirst` (usual in SubRip) always.
 */
export function takePrefixes(
  segments: readonly RawSegment[],
  options: { readonly trustsFirst?: boolean } = {},
): RawSegment[] {
  const counts = new Map<string, number>();
  const split = segments.map(({ text }) => trySplit(text));
  for (const found of split) {
    if (found !== undefined) counts.set(found.name, (counts.get(found.name) ?? 0) + 1);
  }
  const isCustom = options.trustsFirst === true || [...counts.values()].some((count) => count > 1);
  const first = isCustom ? split[0]?.name : undefined;
  return segments.map((segment, index) => {
    const found = split[index];
    const counted =
      found !== undefined && (found.name === first || (counts.get(found.name) ?? 0) > 1);
    return counted ? { ...segment, speaker: found.name, text: found.rest } : segment;
  });
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
