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
      <Trans>This was changed meanwhile, in another window or by somebody else.</Trans>
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
          <Trans>Use theirs, discard mine</Trans>
        </Button>
      </div>
    </Notice>
  );
}

function asText(field: string, value: FieldValue): ReactNode {
  const isNothing = value === null || value === '' || (Array.isArray(value) && value.length === 0);
  if (isNothing) return <Trans>Nothing</Trans>;
  if (typeof value === 'boolean') return value ? <Trans>Yes</Trans> : <Trans>No</Trans>;
  if (field === 'categories') {
    return (value as unknown as readonly Category[]).map(pathOf).join(', ');
  }
  return String(value);
}

/** No form has the others of the show. */
type NameOfShow = Exclude<FieldName, 'medium' | 'other_funding'>;
/** Of the forms of its people, directories and move. */
type OtherName = 'new_feed_url' | 'people' | 'status' | 'url';

/** A field of a show's forms as its label calls it. */
function useFieldName(): (field: string) => string {
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
