import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import type { FieldValue } from '../../editor/fields.ts';
import type { FormDraft } from '../../editor/use-form-draft.ts';
import styles from './show.module.css';

interface Props {
  readonly draft: FormDraft;
  /** In words, what somebody else wrote, where it is no text. */
  readonly describe?: (field: string, value: FieldValue) => ReactNode;
}

/** Somebody else has changed the same thing: the person sees it, and decides. */
export function Conflict({ draft, describe = asText }: Props) {
  const overlaps = Object.entries(draft.state.overlaps);
  if (overlaps.length === 0) return null;
  return (
    <Notice tone="warn">
      <Trans>Somebody else has changed this meanwhile.</Trans>
      {overlaps.map(([field, values]) => (
        <blockquote key={field} className={styles['theirs']} dir="auto">
          {describe(field, values.at(-1) ?? null)}
        </blockquote>
      ))}
      <div className={styles['buttons']}>
        <Button size="small" onPress={draft.saveMine}>
          <Trans>Save mine</Trans>
        </Button>
        <Button size="small" onPress={draft.takeTheirs}>
          <Trans>Take theirs</Trans>
        </Button>
      </div>
    </Notice>
  );
}

function asText(_field: string, value: FieldValue): ReactNode {
  if (value === null || value === '') return <Trans>Nothing</Trans>;
  if (typeof value === 'boolean') return value ? <Trans>Yes</Trans> : <Trans>No</Trans>;
  return String(value);
}
