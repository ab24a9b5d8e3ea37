import type { Ref } from 'react';
import { NativeSelect } from './native-select.tsx';

export interface Option<V extends string> {
  readonly value: V;
  readonly label: string;
}

interface Props<V extends string> {
  readonly label: string;
  readonly options: readonly Option<V>[];
  readonly value: V;
  readonly onChange: (value: V) => void;
  readonly hint?: string;
  readonly problem?: string | undefined;
  readonly isDisabled?: boolean;
  /** The label is for screen readers alone. */
  readonly hidesLabel?: boolean;
  readonly ref?: Ref<HTMLSelectElement>;
}

/** A choice of a few values. */
export function Select<V extends string>({ options, onChange, ...props }: Props<V>) {
  return (
    <NativeSelect {...props} onChange={(value) => onChange(value as V)}>
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </NativeSelect>
  );
}
