import type { Chapter } from '../../api/recording.ts';
import type { FieldValue } from '../../editor/fields.ts';
import { formatDuration } from '../../lib/format.ts';
import type { Credit } from './credit.ts';

/**
 * Lists as a person reads them, one item in each line. Undefined for all other fields. `roleName`
 * names roles of the taxonomy.
 */
export function textOfPart(
  field: string,
  value: FieldValue,
  roleName: (role: string) => string,
): string | undefined {
  if (field === 'chapters') return linesOf(value as readonly Chapter[] | null, lineOfChapter);
  if (field === 'people') {
    const line = ({ name, role }: Credit) => `${name} · ${roleName(role)}`;
    return linesOf(value as readonly Credit[] | null, line);
  }
  return undefined;
}

function linesOf<T>(items: readonly T[] | null, line: (item: T) => string): string {
  return (items ?? []).map(line).join('\n');
}

function lineOfChapter({ start_seconds: start, title, link_url: link, image_url: image }: Chapter) {
  return [formatDuration(start), title, link, image].filter(Boolean).join(' · ');
}
