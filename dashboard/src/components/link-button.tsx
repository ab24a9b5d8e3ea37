import { createLink, type LinkComponent } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';
import { type ButtonKind, type ButtonSize, buttonClass } from './button.tsx';

interface Props extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly kind?: ButtonKind;
  readonly size?: ButtonSize;
  readonly ref?: Ref<HTMLAnchorElement>;
}

const Anchor = ({ kind = 'plain', size = 'normal', ...props }: Props) => (
  <a {...props} className={buttonClass(kind, size)} />
);

const Created = createLink(Anchor);

/** A link to a screen that looks like a button. */
export const LinkButton: LinkComponent<typeof Anchor> = (props) => <Created {...props} />;
