import { type ReactNode, type Ref, useId } from 'react';
import styles from './field.module.css';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
  readonly isDisabled?: boolean;
  /** The label is for screen readers alone. */
  readonly hidesLabel?: boolean;
  readonly ref?: Ref<HTMLSelectElement>;
  /** `option` and `optgroup` elements. */
  readonly children: ReactNode;
}

/** A choice of one value: the browser's own list, which one can type into. */
export function NativeSelect(props: Props) {
  const { label, value, onChange, hint, problem, isDisabled = false, hidesLabel = false } = props;
  const id = useId();
  const isInvalid = problem !== undefined;
  return (
    <div className={hidesLabel ? undefined : styles['field']}>
      <label htmlFor={id} className={hidesLabel ? 'unseen' : styles['label']}>
        {label}
      </label>
      <select
        id={id}
        ref={props.ref}
        className={styles['input']}
        value={value}
        disabled={isDisabled}
        aria-invalid={isInvalid || undefined}
        aria-describedby={`${id}-hint ${id}-problem`}
        onChange={({ target }) => onChange(target.value)}
      >
        {props.children}
      </select>
      {hint !== undefined && (
        <span id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </span>
      )}
      {isInvalid && (
        <span id={`${id}-problem`} className={styles['problem']}>
          {problem}
        </span>
      )}
    </div>
  );
}
