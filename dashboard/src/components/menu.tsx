import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { Button, type ButtonKind, type ButtonSize } from './button.tsx';

// React Aria's menu is loaded when one is opened for the first time.
const MenuList = lazy(() => import('./menu-list.tsx'));

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
  readonly onOpen?: () => void;
}

/** A button that opens a list of actions. */
export function Menu({ label, trigger, kind = 'quiet', size = 'icon', actions, onOpen }: Props) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button
        kind={kind}
        size={size}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        ref={button}
        onPress={() => {
          // Not every browser focuses a pressed button; the focus must return to it.
          button.current?.focus();
          onOpen?.();
          setOpen(true);
        }}
      >
        {trigger}
      </Button>
      <Suspense fallback={null}>
        {isOpen && (
          <MenuList
            label={label}
            actions={actions}
            trigger={button}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </>
  );
}
