import { Button as AriaButton, type ButtonProps } from 'react-aria-components/Button';
import { type ButtonKind, type ButtonSize, buttonClass } from './button.tsx';

interface Props extends Omit<ButtonProps, 'className' | 'style'> {
  readonly kind?: ButtonKind;
  readonly size?: ButtonSize;
}

/** A button for the triggers and slots of React Aria: menus, popovers, pickers, messages. */
export function TriggerButton({ kind = 'plain', size = 'normal', ...props }: Props) {
  return <AriaButton {...props} className={buttonClass(kind, size)} />;
}
