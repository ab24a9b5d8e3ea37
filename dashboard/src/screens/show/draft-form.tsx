import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button, type ButtonKind } from '../../components/button.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import type { FieldValue } from '../../editor/fields.ts';
import type { FormDraft } from '../../editor/use-form-draft.ts';
import { Conflict } from './conflict.tsx';

interface Props {
  readonly draft: FormDraft;
  /** The fields that show their own problems, by their names in the request. */
  readonly fields: readonly string[];
  readonly submit?: string;
  /** Of the button, once something was typed. */
  readonly kind?: ButtonKind;
  readonly describe?: (field: string, value: FieldValue) => ReactNode;
  readonly children: ReactNode;
}

/** A form that the person saves. What was typed stays in this browser until then. */
export function DraftForm({ draft, fields, submit, kind = 'primary', describe, children }: Props) {
  const { t } = useLingui();
  const { status, dirty } = draft.state;
  return (
    <>
      <Conflict draft={draft} {...(describe && { describe })} />
      <PausedNotice draft={draft} />
      <Form
        onSubmit={() => dirty && draft.save()}
        submit={submit ?? t`Save`}
        kind={dirty ? kind : 'plain'}
        isPending={status === 'saving'}
        error={status === 'paused' ? null : draft.error}
        fields={fields}
        beside={<Unsaved draft={draft} />}
      >
        {children}
      </Form>
    </>
  );
}

/** That something was typed, and the way back. */
export function Unsaved({ draft }: { readonly draft: FormDraft }) {
  if (!draft.state.dirty) return null;
  return (
    <>
      <Button kind="quiet" onPress={draft.discard}>
        <Trans>Discard</Trans>
      </Button>
      <span className="meta">
        <Trans>Not saved yet</Trans>
      </span>
    </>
  );
}

/** The person has asked to save, and the server could not. */
export function PausedNotice({ draft: { state } }: { readonly draft: FormDraft }) {
  if (state.status !== 'paused') return null;
  return (
    <Notice tone="warn">
      <Trans>
        The server cannot be reached. What you typed is saved as soon as it answers again.
      </Trans>
    </Notice>
  );
}
