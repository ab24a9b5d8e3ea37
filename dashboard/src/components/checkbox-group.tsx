import type { ReactNode } from 'react';
import { CheckboxGroup as AriaCheckboxGroup } from 'react-aria-components/CheckboxGroup';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { Checkbox } from './checkbox.tsx';
import styles from './field.module.css';
import type { Choice } from './radio-group.tsx';

interface Props<V extends string> {
  readonly label: string;
  readonly choices: readonly Choice<V>[];
  readonly value: readonly V[];
  readonly onChange: (value: V[]) => void;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
  /** Scrolls in a frame of its own where there are many. */
  readonly isLong?: boolean;
}

/** Any of several values. */
export function CheckboxGroup<V extends string>(props: Props<V>) {
  const { label, choices, value, onChange, hint, problem, isLong = false } = props;
  return (
    <AriaCheckboxGroup
      value={[...value]}
      onChange={(chosen) => onChange(chosen as V[])}
      isInvalid={problem !== undefined}
      className={styles['field'] ?? ''}
    >
      <Label className={styles['label'] ?? ''}>{label}</Label>
      {hint !== undefined && (
        <Text slot="description" className={styles['hint'] ?? ''}>
          {hint}
        </Text>
      )}
      <div className={`${styles['choices']} ${isLong ? styles['long'] : ''}`}>
        {choices.map((choice) => (
          <Checkbox key={choice.value} value={choice.value}>
            <span dir="auto">{choice.label}</span>
            {choice.hint !== undefined && <span className={styles['aside']}> {choice.hint}</span>}
          </Checkbox>
        ))}
      </div>
      <FieldError className={styles['problem'] ?? ''}>{problem}</FieldError>
    </AriaCheckboxGroup>
  );
}
