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
  /** The kind of the button when there are changes. */
  readonly kind?: ButtonKind;
  readonly describe?: (field: string, value: FieldValue) => ReactNode;
  readonly children: ReactNode;
}

/** A form that the person saves. Until then, its changes are stored in this browser. */
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

/** Says that there are unsaved changes, with a button to discard them. */
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

/** The person wanted to save, and the server could not. */
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
