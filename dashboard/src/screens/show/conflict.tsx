import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import type { FieldValue } from '../../editor/fields.ts';
import type { FormDraft } from '../../editor/use-form-draft.ts';
import { pathOf } from './category-fields.tsx';
import styles from './show.module.css';
import type { Category, FieldName } from './show-fields.ts';

interface Props {
  readonly draft: FormDraft;
  /** A description of the other version, if it is not a text. */
  readonly describe?: (field: string, value: FieldValue) => ReactNode;
}

/**
 * The same field was changed in another window or by somebody else. The person sees both versions
 * and decides.
 */
export function Conflict({ draft, describe = asText }: Props) {
  const nameOf = useFieldName();
  const overlaps = Object.entries(draft.state.overlaps);
  if (overlaps.length === 0) return null;
  return (
    <Notice tone="warn">
      <Trans>This has since been changed in another window or by someone else.</Trans>
      <dl className={styles['theirs']}>
        {overlaps.map(([field, values]) => (
          <div key={field}>
            <dt>{nameOf(field)}</dt>
            <dd dir="auto">{describe(field, values.at(-1) ?? null)}</dd>
          </div>
        ))}
      </dl>
      <div className={styles['buttons']}>
        <Button size="small" onPress={draft.saveMine}>
          <Trans>Keep mine</Trans>
        </Button>
        <Button size="small" onPress={draft.takeTheirs}>
          <Trans>Keep theirs</Trans>
        </Button>
      </div>
    </Notice>
  );
}

function asText(field: string, value: FieldValue): ReactNode {
  const isNothing = value === null || value === '' || (Array.isArray(value) && value.length === 0);
  if (isNothing) return <Trans>(empty)</Trans>;
  if (typeof value === 'boolean') return value ? <Trans>Yes</Trans> : <Trans>No</Trans>;
  if (field === 'categories') {
    return (value as unknown as readonly Category[]).map(pathOf).join(', ');
  }
  return String(value);
}

/** No form has the others of the show. */
type NameOfShow = Exclude<FieldName, 'medium' | 'other_funding'>;
/** Of the forms of its people, directories and move. */
type OtherName = 'new_feed_url' | 'domain' | 'people' | 'status' | 'url';

/** A field of a show's forms as its label calls it. */
function useFieldName(): (field: string) => string {
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
    player_color: t`Player color`,
    player_theme: t`Player background`,
    player_waveform: t`Show the waveform in the player`,
    show_powered_by: t`Show “Powered by Podstead”`,
    timezone: t`Time zone`,
    feed_locked: t`Don’t let other hosts import the show`,
    itunes_block: t`Hide the show from Apple Podcasts`,
    complete: t`The show is complete: there will be no more episodes`,
    new_feed_url: t`New feed URL`,
    redirect_feed: t`Redirect the old feed URL`,
    domain: t`Domain`,
    people: t`People`,
    status: t`Status`,
    url: t`Show’s URL in the directory`,
  } satisfies Record<NameOfShow | OtherName, string>;
  return (field) => names[field] ?? field;
}
