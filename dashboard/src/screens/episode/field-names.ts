import { useLingui } from '@lingui/react/macro';
import { formatNumber } from '../../lib/format.ts';
import { tryReadField } from '../../waveform/transcript/segment-fields.ts';
import type { FieldName } from './episode-fields.ts';

/** A field as its label calls it. */
export function useFieldName(): (field: string) => string {
  const { t } = useLingui();
  const names: Readonly<Record<string, string>> = {
    title: t`Title`,
    subtitle: t`Subtitle`,
    slug: t`URL slug`,
    description: t`Description for apps`,
    show_notes_html: t`Show notes`,
    season: t`Season`,
    season_name: t`Season name`,
    episode_number: t`Episode number`,
    episode_display: t`Displayed number`,
    episode_type: t`Type`,
    explicit: t`Explicit`,
    ai_content: t`AI-generated content`,
    itunes_title: t`Title for Apple Podcasts`,
    itunes_block: t`Hidden in Apple Podcasts`,
    link_url: t`Episode web page`,
    share_transcript_with_cohosts: t`Transcript for co-hosts`,
    publish_transcript: t`Public transcript`,
    chapters: t`Chapters`,
    people: t`People`,
  } satisfies Record<FieldName | 'chapters' | 'people', string>;
  return (field) => {
    const segment = tryReadField(field);
    if (segment === undefined) return names[field] ?? field;
    const number = formatNumber(segment.index + 1);
    return segment.name === 'text'
      ? t`Transcript: words of segment ${number}`
      : t`Transcript: speaker of segment ${number}`;
  };
}
