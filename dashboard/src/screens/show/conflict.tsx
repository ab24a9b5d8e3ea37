import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import type { FieldValue } from '../../editor/fields.ts';
import type { FormDraft } from '../../editor/use-form-draft.ts';
import { pathOf } from './category-fields.tsx';
import styles from './show.module.css';
import type { Category } from './show-fields.ts';
import { useFieldName } from './use-field-name.ts';

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
