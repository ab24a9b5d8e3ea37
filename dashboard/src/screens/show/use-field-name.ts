import { useLingui } from '@lingui/react/macro';
import type { FieldName } from './show-fields.ts';

/** No form has the others of the show. */
type NameOfShow = Exclude<FieldName, 'medium' | 'other_funding'>;
/** Of the forms of its people, directories and move. */
type OtherName = 'new_feed_url' | 'people' | 'status' | 'url';

/** A field of a show's forms as its label calls it. */
export function useFieldName(): (field: string) => string {
  const { t } = useLingui();
  const names: Readonly<Record<string, string>> = {
    title: t`Title`,
    subtitle: t`Subtitle`,
    slug: t`Name in addresses`,
    author: t`Author`,
    description: t`Description`,
    categories: t`Category`,
    language: t`Language`,
    show_type: t`Order of the episodes`,
    explicit: t`Explicit`,
    ai_content: t`AI-generated content`,
    website_url: t`Website`,
    owner_name: t`Owner name`,
    owner_email: t`Owner email address`,
    copyright: t`Holder of the copyright`,
    funding_url: t`Page where listeners support the show`,
    funding_text: t`Button label`,
    brand_color: t`Color of the pages`,
    player_color: t`Color of the player`,
    player_theme: t`Background of the player`,
    player_waveform: t`The player shows the waveform`,
    show_powered_by: t`Show “Powered by Podstead”`,
    timezone: t`Time zone`,
    feed_locked: t`Other hosts may not import the show`,
    itunes_block: t`Apple Podcasts does not list the show`,
    complete: t`The show is complete: no further episodes will come`,
    new_feed_url: t`Address of the new feed`,
    people: t`People`,
    status: t`How far it is`,
    url: t`Address of the show there`,
  } satisfies Record<NameOfShow | OtherName, string>;
  return (field) => names[field] ?? field;
}
