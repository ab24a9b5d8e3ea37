import type { ReactNode } from 'react';
import { Switch as AriaSwitch, type SwitchProps } from 'react-aria-components/Switch';
import styles from './field.module.css';

interface Props extends Omit<SwitchProps, 'className' | 'style' | 'children'> {
  readonly children: ReactNode;
}

/** On or off, with effect at once. */
export function Switch({ children, ...props }: Props) {
  return (
    <AriaSwitch {...props} className={styles['check'] ?? ''}>
      <span className={styles['track']} aria-hidden="true">
        <span className={styles['knob']} />
      </span>
      <span>{children}</span>
    </AriaSwitch>
  );
}
