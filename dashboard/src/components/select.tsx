import { ChevronDown } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select';
import { Text } from 'react-aria-components/Text';
import fieldStyles from './field.module.css';
import styles from './menu.module.css';

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
}

/** A choice of a few values. */
export function Select<V extends string>(props: Props<V>) {
  const { label, options, value, onChange, hint, problem, isDisabled = false, hidesLabel } = props;
  return (
    <AriaSelect
      value={value}
      onChange={(key) => onChange(key as V)}
      isDisabled={isDisabled}
      isInvalid={problem !== undefined}
      className={hidesLabel === true ? '' : (fieldStyles['field'] ?? '')}
    >
      <Label className={hidesLabel === true ? 'unseen' : (fieldStyles['label'] ?? '')}>
        {label}
      </Label>
      <Button className={styles['trigger'] ?? ''}>
        <SelectValue />
        <ChevronDown size={16} aria-hidden="true" />
      </Button>
      {hint !== undefined && (
        <Text slot="description" className={fieldStyles['hint'] ?? ''}>
          {hint}
        </Text>
      )}
      <FieldError className={fieldStyles['problem'] ?? ''}>{problem}</FieldError>
      <Popover className={styles['popover'] ?? ''}>
        <ListBox className={styles['list'] ?? ''} items={options}>
          {(option) => (
            <ListBoxItem id={option.value} className={styles['item'] ?? ''}>
              {option.label}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
