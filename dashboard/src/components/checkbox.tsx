import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox, type CheckboxProps } from 'react-aria-components/Checkbox';
import styles from './field.module.css';

interface Props extends Omit<CheckboxProps, 'className' | 'style' | 'children'> {
  readonly children: ReactNode;
}

export function Checkbox({ children, ...props }: Props) {
  return (
    <AriaCheckbox {...props} className={styles['check'] ?? ''}>
      {({ isSelected }) => (
        <>
          <span className={styles['box']} aria-hidden="true">
            {isSelected && <Check size={14} strokeWidth={3} />}
          </span>
          <span>{children}</span>
        </>
      )}
    </AriaCheckbox>
  );
}
