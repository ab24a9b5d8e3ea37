import type { Chapter } from '../../api/recording.ts';
import type { FieldValue } from '../../editor/fields.ts';
import { formatDuration } from '../../lib/format.ts';
import type { Credit } from './credit.ts';

/** Lists as a person reads them, one item in each line. Undefined for all other fields. */
export function textOfPart(field: string, value: FieldValue): string | undefined {
  if (field === 'chapters') return linesOf(value as readonly Chapter[] | null, lineOfChapter);
  if (field === 'people') return linesOf(value as readonly Credit[] | null, lineOfCredit);
  return undefined;
}

function linesOf<T>(items: readonly T[] | null, line: (item: T) => string): string {
  return (items ?? []).map(line).join('\n');
}

function lineOfChapter({ start_seconds: start, title, link_url: link, image_url: image }: Chapter) {
  return [formatDuration(start), title, link, image].filter(Boolean).join(' · ');
}

function lineOfCredit({ name, role }: Credit) {
  return `${name} · ${role}`;
}
