import { lazy, type ReactNode, Suspense } from 'react';

// React Aria's dialog is loaded when one is opened for the first time.
const OpenDialog = lazy(() => import('./open-dialog.tsx'));

export interface DialogProps {
  readonly title: string;
  /** Absent where the user has to choose. */
  readonly onClose?: () => void;
  /** Escape and a press outside do not close it. */
  readonly mustAnswer?: boolean;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

export function Dialog({ isOpen, ...props }: DialogProps & { readonly isOpen: boolean }) {
  return <Suspense fallback={null}>{isOpen && <OpenDialog {...props} />}</Suspense>;
}
