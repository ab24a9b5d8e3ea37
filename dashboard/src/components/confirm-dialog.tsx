import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import dialogStyles from './dialog.module.css';
import { Dialog } from './dialog.tsx';
import { FailureText } from './failure-text.tsx';
import { Notice } from './notice.tsx';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What it does, on its button. */
  readonly action: string;
  readonly onConfirm: () => void;
  readonly isPending: boolean;
  readonly error: unknown;
  /** What will be different afterwards. */
  readonly children: ReactNode;
}

/** Only for actions that cannot be undone, or that the public notices. */
export function ConfirmDialog(props: Props) {
  const { t } = useLingui();
  const { isOpen, onClose, title, action, onConfirm, isPending, error, children } = props;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      {error !== null && error !== undefined && (
        <Notice tone="bad">
          <FailureText error={error} />
        </Notice>
      )}
      {children}
      <div className={dialogStyles['foot']}>
        <Button kind="danger" onPress={() => onConfirm()} isPending={isPending}>
          {action}
        </Button>
        <Button kind="quiet" onPress={onClose}>{t`Cancel`}</Button>
      </div>
    </Dialog>
  );
}
