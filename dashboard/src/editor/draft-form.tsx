import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button, type ButtonKind } from '../components/button.tsx';
import { Form } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { Conflict } from './conflict.tsx';
import { type FieldValue, sameValue } from './fields.ts';
import type { FormDraft } from './use-form-draft.ts';

interface Props {
  readonly draft: FormDraft;
  /** A field as its label calls it. */
  readonly nameOf: (field: string) => string;
  /** The fields that show their own problems, by their names in the request. */
  readonly fields: readonly string[];
  readonly submit?: string;
  /** The buttons stay visible at the end of the window while there are changes. */
  readonly hasBar?: boolean;
  /** The kind of the button when there are changes. */
  readonly kind?: ButtonKind;
  readonly describe?: (field: string, value: FieldValue) => ReactNode;
  readonly children: ReactNode;
}

/** A form that the person saves. Until then, its changes are stored in this browser. */
export function DraftForm(props: Props) {
  const { t } = useLingui();
  const {
    draft,
    nameOf,
    fields,
    submit,
    hasBar = false,
    kind = 'primary',
    describe,
    children,
  } = props;
  const { status, dirty } = draft.state;
  return (
    <>
      <Conflict draft={draft} nameOf={nameOf} {...(describe && { describe })} />
      <PausedNotice draft={draft} />
      <Form
        onSubmit={() => dirty && draft.save()}
        submit={submit ?? t`Save`}
        kind={dirty ? kind : 'plain'}
        isPending={status === 'saving'}
        error={status === 'paused' ? null : draft.error}
        fields={fields}
        beside={<Unsaved draft={draft} isCounted={hasBar} />}
        {...(hasBar && { bar: dirty || status === 'saving' ? 'shown' : 'hidden' })}
      >
        {children}
      </Form>
    </>
  );
}

interface UnsavedProps {
  readonly draft: FormDraft;
  /** Says how many fields were changed. */
  readonly isCounted?: boolean;
}

/** Says that there are unsaved changes, with a button to discard them. */
export function Unsaved({ draft, isCounted = false }: UnsavedProps) {
  const { dirty, values, base } = draft.state;
  if (!dirty) return null;
  const changed = Object.keys(values).filter((name) => !sameValue(values[name], base[name]));
  return (
    <>
      <Button kind="quiet" onPress={draft.discard}>
        <Trans>Discard</Trans>
      </Button>
      <span className="meta">
        {isCounted && changed.length > 0 ? (
          <Plural value={changed.length} one="# unsaved change" other="# unsaved changes" />
        ) : (
          <Trans>Not saved yet</Trans>
        )}
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
        Can’t reach the server. We’ll save what you typed as soon as the connection is back.
      </Trans>
    </Notice>
  );
}
