import type { ReactNode } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField, type TextFieldProps } from 'react-aria-components/TextField';
import styles from './field.module.css';

interface Props extends Omit<TextFieldProps, 'className' | 'style' | 'children'> {
  readonly label: string;
  /** What helps to fill it in, below the field. */
  readonly hint?: ReactNode;
  /** Why the value is refused, in words. */
  readonly problem?: string | undefined;
  /** More than one line. */
  readonly rows?: number;
  readonly placeholder?: string;
}

export function TextField({ label, hint, problem, rows, placeholder = '', ...props }: Props) {
  return (
    <AriaTextField {...props} isInvalid={problem !== undefined} className={styles['field'] ?? ''}>
      <Label className={styles['label'] ?? ''}>{label}</Label>
      {rows === undefined ? (
        <Input className={styles['input'] ?? ''} placeholder={placeholder} dir="auto" />
      ) : (
        <TextArea
          className={styles['input'] ?? ''}
          rows={rows}
          placeholder={placeholder}
          dir="auto"
        />
      )}
      {hint !== undefined && (
        <Text slot="description" className={styles['hint'] ?? ''}>
          {hint}
        </Text>
      )}
      <FieldError className={styles['problem'] ?? ''}>{problem}</FieldError>
    </AriaTextField>
  );
}
