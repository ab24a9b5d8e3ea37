import { useLingui } from '@lingui/react/macro';
import type { FieldName } from './show-fields.ts';

/** No form has the others of the show. */
type NameOfShow = Exclude<FieldName, 'medium' | 'other_funding'>;
/** Of the forms of its people, directories and move. */
type OtherName = 'new_feed_url' | 'domain' | 'people' | 'status' | 'url';

/** A field of a show's forms as its label calls it. */
export function useFieldName(): (field: string) => string {
  const { t } = useLingui();
  const names: Readonly<Record<string, string>> = {
    title: t`Title`,
    subtitle: t`Subtitle`,
    slug: t`URL slug`,
    author: t`Author`,
    description: t`Description`,
    categories: t`Category`,
    language: t`Language`,
    show_type: t`Episode order`,
    explicit: t`Explicit`,
    ai_content: t`AI-generated content`,
    website_url: t`Website`,
    owner_name: t`Owner name`,
    owner_email: t`Owner email address`,
    copyright: t`Copyright owner`,
    funding_url: t`Page where listeners can support the show`,
    funding_text: t`Support button label`,
    brand_color: t`Page color`,
    page_theme: t`Page background`,
    page_sections: t`Sections`,
    page_text: t`Your own text`,
    player_color: t`Player color`,
    player_theme: t`Player background`,
    player_waveform: t`Show the waveform in the player`,
    show_powered_by: t`Show “Powered by Podstead”`,
    timezone: t`Time zone`,
    feed_locked: t`Don’t let other hosts import the show`,
    itunes_block: t`Hide the show from Apple Podcasts`,
    complete: t`The show is complete: there will be no more episodes`,
    new_feed_url: t`New feed URL`,
    enclosure_prefixes: t`Measurement services`,
    confirm_move: t`Confirm the feed’s URL to Apple Podcasts`,
    ai_training: t`Ask that the show isn’t used to train AI models`,
    redirect_feed: t`Redirect the old feed URL`,
    domain: t`Domain`,
    people: t`People`,
    status: t`Status`,
    url: t`Show’s URL in the directory`,
  } satisfies Record<NameOfShow | OtherName, string>;
  return (field) => names[field] ?? field;
}
