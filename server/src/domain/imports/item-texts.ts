import { htmlToPlainText } from '../../lib/html/html-to-plain-text.ts';
import type { CleanShowNotes } from '../episodes/index.ts';
import type { ParsedFeed, ParsedItem } from './feed/parsed-feed.ts';
import { readPlainText, readShowNotes } from './feed-texts.ts';
import { pickFullest } from './fullest-text.ts';

/** The texts derived from an item. Deriving them is slow and happens in the reader thread. */
export interface ItemTexts {
  readonly description: string | undefined;
  readonly notes: CleanShowNotes | undefined;
}

type RawTexts = Pick<ParsedItem, 'contentHtml' | 'descriptionHtml' | 'summary'>;

/** An item with its derived texts. */
export type ReadItem = Omit<ParsedItem, keyof RawTexts> & ItemTexts;

export interface ReadFeed extends Omit<ParsedFeed, 'items'> {
  readonly items: readonly ReadItem[];
}

export function readTexts({
  contentHtml,
  descriptionHtml,
  summary,
  ...item
}: ParsedItem): ReadItem {
  const notes = pickFullest([contentHtml, descriptionHtml, summary]);
  const description = descriptionHtml ?? summary ?? contentHtml;
  const showNotesHtml = notes && readShowNotes(notes);
  return {
    ...item,
    description: (description && readPlainText(description, 100_000)) || undefined,
    notes: showNotesHtml ? { showNotesHtml, showNotes: htmlToPlainText(showNotesHtml) } : undefined,
  };
}
