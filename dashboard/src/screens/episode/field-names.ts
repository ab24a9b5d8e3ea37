import { useLingui } from '@lingui/react/macro';
import type { FieldName } from './episode-fields.ts';

/** The fields as their labels call them. */
export function useFieldNames(): Readonly<Record<string, string>> {
  const { t } = useLingui();
  return {
    title: t`Title`,
    subtitle: t`Subtitle`,
    slug: t`Last part of the address`,
    description: t`Description for apps`,
    show_notes_html: t`Show notes`,
    season: t`Season`,
    season_name: t`Name of the season`,
    episode_number: t`Episode number`,
    episode_display: t`Number as it is shown`,
    episode_type: t`Type`,
    explicit: t`Explicit`,
    itunes_title: t`Title for Apple Podcasts`,
    itunes_block: t`Hidden in Apple Podcasts`,
    link_url: t`Web page of the episode`,
    share_transcript_with_cohosts: t`Transcript for co-hosts`,
    publish_transcript: t`Public transcript`,
  } satisfies Record<FieldName, string>;
}
