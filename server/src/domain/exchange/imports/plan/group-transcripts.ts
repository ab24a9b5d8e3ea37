import { tryParseLanguage } from '../../../../lib/language.ts';
import type { ParsedTranscript } from '../read/feed/parsed-feed.ts';

/** The formats of one transcript, the most useful first. */
export interface TranscriptGroup {
  /** In canonical spelling; default: the show's language. */
  readonly language: string;
  readonly links: readonly ParsedTranscript[];
}

/** For each episode. */
const maxLanguages = 20;

/**
 * Groups an item's transcripts by language, the show's language first, which becomes the episode's
 * first transcript. `leftOut` counts languages beyond the limit and invalid ones, unless the item
 * has no other.
 */
export function groupTranscripts(
  links: readonly ParsedTranscript[],
  showLanguage: string,
): { readonly groups: readonly TranscriptGroup[]; readonly leftOut: number } {
  const usual = tryParseLanguage(showLanguage) ?? showLanguage;
  const readable = links.filter(({ language }) => isReadable(language));
  const used = readable.length > 0 ? readable : links;
  const byLanguage = Map.groupBy(used, ({ language }) => tryParseLanguage(language) ?? usual);
  const groups = [...byLanguage]
    .map(([language, some]) => ({ language, links: byUsefulness(some) }))
    .toSorted((one, other) => distance(one.language, usual) - distance(other.language, usual));
  const unreadable = new Set(links.filter((link) => !used.includes(link)).map((l) => l.language));
  const beyond = Math.max(0, groups.length - maxLanguages);
  return { groups: groups.slice(0, maxLanguages), leftOut: beyond + unreadable.size };
}

function isReadable(language: string | undefined): boolean {
  return language === undefined || tryParseLanguage(language) !== undefined;
}

/** 0: the same; 1: another variant of the same language; 2: another language. */
function distance(one: string, other: string): number {
  if (one === other) return 0;
  return one.split('-', 1)[0] === other.split('-', 1)[0] ? 1 : 2;
}

/** Formats with times first. */
function byUsefulness(links: readonly ParsedTranscript[]): ParsedTranscript[] {
  const forms = [/vtt/, /srt|subrip/, /json/, /ttml/, /html/];
  const rank = ({ type }: ParsedTranscript): number => {
    const at = forms.findIndex((form) => form.test(type ?? ''));
    return at === -1 ? forms.length : at;
  };
  return links.toSorted((one, other) => rank(one) - rank(other));
}
