import type { ReactNode } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { RadioGroup as AriaRadioGroup, Radio } from 'react-aria-components/RadioGroup';
import { Text } from 'react-aria-components/Text';
import styles from './field.module.css';

export interface Choice<V extends string> {
  readonly value: V;
  readonly label: string;
  readonly hint?: ReactNode;
}

interface Props<V extends string> {
  readonly label: string;
  readonly choices: readonly Choice<V>[];
  readonly value: V;
  readonly onChange: (value: V) => void;
  readonly hint?: ReactNode;
  readonly problem?: string | undefined;
}

/** One of a few values, with words for each. */
export function RadioGroup<V extends string>(props: Props<V>) {
  const { label, choices, value, onChange, hint, problem } = props;
  return (
    <AriaRadioGroup
      value={value}
      onChange={(chosen) => onChange(chosen as V)}
      isInvalid={problem !== undefined}
      className={styles['field'] ?? ''}
    >
      <Label className={styles['label'] ?? ''}>{label}</Label>
      {hint !== undefined && (
        <Text slot="description" className={styles['hint'] ?? ''}>
          {hint}
        </Text>
      )}
      <div className={styles['choices']}>
        {choices.map((choice) => (
          <Radio key={choice.value} value={choice.value} className={styles['check'] ?? ''}>
            <span className={`${styles['box']} ${styles['round']}`} aria-hidden="true" />
            <span>
              <span dir="auto">{choice.label}</span>
              {choice.hint !== undefined && <span className={styles['aside']}> {choice.hint}</span>}
            </span>
          </Radio>
        ))}
      </div>
      <FieldError className={styles['problem'] ?? ''}>{problem}</FieldError>
    </AriaRadioGroup>
  );
}
