import { type ReactNode, useEffect, useRef } from 'react';
import { Form as AriaForm } from 'react-aria-components/Form';
import { ApiError, otherProblems } from '../api/errors.ts';
import { Button, type ButtonKind } from './button.tsx';
import { FailureText } from './failure-text.tsx';
import styles from './form.module.css';
import { Notice } from './notice.tsx';

interface Props {
  readonly onSubmit: () => void;
  readonly submit: ReactNode;
  readonly isPending: boolean;
  /** Of the last attempt. */
  readonly error: unknown;
  /** The fields that show their own problems, by their names in the request. */
  readonly fields?: readonly string[];
  readonly kind?: ButtonKind;
  /** Beside the button, for example a way back. */
  readonly beside?: ReactNode;
  /** Its buttons stay visible at the end of the window; `hidden`: there is nothing to do yet. */
  readonly bar?: 'shown' | 'hidden';
  readonly children?: ReactNode;
}

/** A form that the server checks. After a refusal the first wrong field gets the focus. */
export function Form(props: Props) {
  const { onSubmit, submit, isPending, error, fields = [], kind = 'primary', beside, bar } = props;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error instanceof ApiError) focusFirstProblem(form.current);
  }, [error]);
  const others = error instanceof ApiError ? otherProblems(error, fields) : [];
  return (
    <AriaForm
      ref={form}
      validationBehavior="aria"
      className={(bar === undefined ? styles['form'] : styles['wide']) ?? ''}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) onSubmit();
      }}
    >
      {error !== null && error !== undefined && <Complaint error={error} others={others} />}
      {props.children}
      {bar !== 'hidden' && (
        <div className={bar === undefined ? styles['actions'] : styles['bar']}>
          <Button type="submit" kind={kind} isPending={isPending}>
            {submit}
          </Button>
          {beside}
        </div>
      )}
    </AriaForm>
  );
}

/** Problems of no field, above all fields. */
function Complaint({ error, others }: { readonly error: unknown; readonly others: string[] }) {
  if (error instanceof ApiError && error.details.length > 0) {
    return others.map((message) => (
      <Notice tone="bad" key={message}>
        {message}
      </Notice>
    ));
  }
  return (
    <Notice tone="bad">
      <FailureText error={error} />
    </Notice>
  );
}

function focusFirstProblem(form: HTMLFormElement | null): void {
  const wrong = form?.querySelector<HTMLElement>(
    'input[aria-invalid="true"], textarea[aria-invalid="true"], [data-invalid] button, [data-invalid] input',
  );
  wrong?.focus();
}
