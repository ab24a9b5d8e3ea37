import type { ReactNode, Ref } from 'react';
import styles from './button.module.css';

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger';
export type ButtonSize = 'normal' | 'small' | 'icon';

interface Props {
  readonly kind?: ButtonKind;
  readonly size?: ButtonSize;
  readonly type?: 'button' | 'submit';
  readonly onPress?: () => unknown;
  readonly isDisabled?: boolean;
  /** Its action is running: it keeps the focus, and does nothing. */
  readonly isPending?: boolean;
  readonly autoFocus?: boolean;
  readonly form?: string;
  readonly id?: string;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly 'aria-label'?: string | undefined;
  readonly 'aria-expanded'?: boolean | undefined;
  readonly 'aria-controls'?: string | undefined;
  readonly 'aria-haspopup'?: 'menu' | 'dialog' | undefined;
  readonly 'aria-pressed'?: boolean | undefined;
  readonly 'aria-describedby'?: string | undefined;
  readonly children: ReactNode;
}

/**
 * A button of the browser, which every screen can show before React Aria is loaded. A
 * `TriggerButton` opens menus and popovers of React Aria.
 */
export function Button({
  kind = 'plain',
  size = 'normal',
  type = 'button',
  onPress,
  isDisabled = false,
  isPending = false,
  ...props
}: Props) {
  return (
    <button
      {...props}
      type={type}
      className={buttonClass(kind, size)}
      disabled={isDisabled}
      aria-disabled={isPending || undefined}
      aria-busy={isPending || undefined}
      onClick={(event) => {
        // The second click of a double click may come before the first one is known to be pending.
        if (isPending || (type === 'submit' && event.detail > 1)) event.preventDefault();
        else onPress?.();
      }}
    />
  );
}

/** For everything that looks like a button: links, triggers. */
export function buttonClass(kind: ButtonKind, size: ButtonSize = 'normal'): string {
  return `${styles['button']} ${styles[kind]} ${styles[size] ?? ''}`;
}
