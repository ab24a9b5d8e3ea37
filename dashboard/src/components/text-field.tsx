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
  /** A hint, below the field. */
  readonly hint?: ReactNode;
  /** Why the value is refused, in words. */
  readonly problem?: string | undefined;
  /** More than one line. */
  readonly rows?: number;
  /** It grows with its text, without line breaks. */
  readonly wraps?: boolean;
  readonly placeholder?: string;
}

export function TextField(all: Props) {
  const { label, hint, problem, wraps = false, rows, placeholder = '', ...props } = all;
  return (
    <AriaTextField
      {...props}
      {...(wraps && { onChange: (text) => props.onChange?.(text.replace(/[\r\n]/g, ' ')) })}
      isInvalid={problem !== undefined}
      className={styles['field'] ?? ''}
    >
      <Label className={styles['label'] ?? ''}>{label}</Label>
      {wraps ? (
        <TextArea
          className={`${styles['input']} ${styles['wraps']}`}
          rows={1}
          placeholder={placeholder}
          dir="auto"
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.preventDefault();
          }}
        />
      ) : rows === undefined ? (
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
