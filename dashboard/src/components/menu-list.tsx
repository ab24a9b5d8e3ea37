import type { RefObject } from 'react';
import { Menu, MenuItem } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import styles from './menu.module.css';
import type { MenuAction } from './menu.tsx';

interface Props {
  readonly label: string;
  readonly actions: readonly MenuAction[];
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
}

/** The open list of a menu, beside its button. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes a default export.
export default function MenuList({ label, actions, trigger, onClose }: Props) {
  return (
    <Popover
      isOpen
      triggerRef={trigger}
      onOpenChange={onClose}
      className={styles['popover'] ?? ''}
      placement="bottom end"
      aria-label={label}
    >
      <Menu
        autoFocus="first"
        className={styles['list'] ?? ''}
        aria-label={label}
        onClose={onClose}
        onAction={(id) => actions.find((action) => action.id === id)?.act()}
        disabledKeys={actions.filter(({ isDisabled }) => isDisabled).map(({ id }) => id)}
      >
        {actions.map(({ id, label: name, icon, isDangerous }) => (
          <MenuItem
            key={id}
            id={id}
            textValue={name}
            className={`${styles['item']} ${isDangerous === true ? styles['dangerous'] : ''}`}
          >
            {icon}
            <span>{name}</span>
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  );
}
