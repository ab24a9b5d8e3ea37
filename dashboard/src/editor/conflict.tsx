import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import styles from './conflict.module.css';
import type { FieldValue } from './fields.ts';
import type { FormDraft } from './use-form-draft.ts';

interface Props {
  readonly draft: FormDraft;
  /** A field as its label calls it. */
  readonly nameOf: (field: string) => string;
  /** A description of the other version, if it is not a text. */
  readonly describe?: (field: string, value: FieldValue) => ReactNode;
}

/**
 * The same field was changed in another window or by somebody else. The person sees both versions
 * and decides.
 */
export function Conflict({ draft, nameOf, describe = asText }: Props) {
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

export function asText(_field: string, value: FieldValue): ReactNode {
  const isNothing = value === null || value === '' || (Array.isArray(value) && value.length === 0);
  if (isNothing) return <Trans>(empty)</Trans>;
  if (typeof value === 'boolean') return value ? <Trans>Yes</Trans> : <Trans>No</Trans>;
  return String(value);
}
