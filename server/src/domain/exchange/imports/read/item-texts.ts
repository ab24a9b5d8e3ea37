import { containsText } from '../../../../lib/contains-text.ts';
import { carriesCredential } from '../../../../lib/credential.ts';
import { htmlToPlainText } from '../../../../lib/html/html-to-plain-text.ts';
import type { CleanShowNotes } from '../../../publishing/podcasts/index.ts';
import type { ItemRef } from '../report/import-report.ts';
import { decodeReferences } from './feed/character-references.ts';
import type { ParsedItem } from './feed/parsed-feed.ts';
import { readFeedShowNotes, readPlainText } from './feed-texts.ts';

/** The texts derived from an item. Deriving them is slow and happens in a child process. */
export interface ItemTexts {
  readonly description: string | undefined;
  readonly notes: CleanShowNotes | undefined;
}

type RawTexts = Pick<ParsedItem, 'contentHtml' | 'descriptionHtml' | 'summary'>;

/** An item with its derived texts. */
export type ReadItem = Omit<ParsedItem, keyof RawTexts> & ItemTexts;

/** The reference to an item in a report. */
export function refOf(item: Pick<ReadItem, 'guid' | 'title'>): ItemRef {
  const { guid, title } = item;
  const isSecret = guid !== undefined && carriesCredential(guid);
  return { guid: isSecret ? null : (guid ?? null), title: title ?? null };
}

export function readTexts({
  contentHtml,
  descriptionHtml,
  summary,
  ...item
}: ParsedItem): ReadItem {
  const notes = pickFullest([contentHtml, descriptionHtml, summary]);
  const description = descriptionHtml ?? summary ?? contentHtml;
  const showNotesHtml = notes && readFeedShowNotes(notes);
  return {
    ...item,
    description: (description && readPlainText(description, 100_000)) || undefined,
    notes: showNotesHtml ? { showNotesHtml, showNotes: htmlToPlainText(showNotesHtml) } : undefined,
  };
}

/**
 * The first of these texts, or a later one that contains all its words and more: feeds often have
 * an excerpt in one element and the whole in another. Takes linear time.
 */
export function pickFullest(texts: readonly (string | undefined)[]): string | undefined {
  let fullest: string | undefined;
  let words = '';
  for (const text of texts) {
    if (text === undefined) continue;
    const others = wordsOf(text);
    const isFuller = others.length > words.length && containsText(others, words);
    if (fullest !== undefined && !isFuller) continue;
    fullest = text;
    words = others;
  }
  return fullest;
}

/** Only letters and digits: markup, spaces and ellipses do not count. */
function wordsOf(text: string): string {
  const plain = decodeReferences(text.replace(/<[^<>]*>/g, ' '));
  return plain.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
