import type { ReactNode } from 'react';
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuTrigger,
} from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import type { ButtonKind, ButtonSize } from './button.tsx';
import styles from './menu.module.css';
import { TriggerButton } from './trigger-button.tsx';

export interface MenuAction {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  readonly act: () => void;
}

interface Props {
  /** For screen readers: what the actions are about. */
  readonly label: string;
  readonly trigger: ReactNode;
  readonly kind?: ButtonKind;
  readonly size?: ButtonSize;
  readonly actions: readonly MenuAction[];
  readonly isOpenAtFirst?: boolean;
}

/** A button that opens a list of actions. */
export function Menu({
  label,
  trigger,
  kind = 'quiet',
  size = 'icon',
  actions,
  isOpenAtFirst = false,
}: Props) {
  return (
    <MenuTrigger defaultOpen={isOpenAtFirst}>
      <TriggerButton kind={kind} size={size} aria-label={label}>
        {trigger}
      </TriggerButton>
      <Popover className={styles['popover'] ?? ''} placement="bottom end">
        <AriaMenu
          className={styles['list'] ?? ''}
          aria-label={label}
          onAction={(id) => actions.find((action) => action.id === id)?.act()}
          disabledKeys={actions.filter(({ isDisabled }) => isDisabled).map(({ id }) => id)}
        >
          {actions.map(({ id, label: name, icon, isDangerous }) => (
            <AriaMenuItem
              key={id}
              id={id}
              textValue={name}
              className={`${styles['item']} ${isDangerous === true ? styles['dangerous'] : ''}`}
            >
              {icon}
              <span>{name}</span>
            </AriaMenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
