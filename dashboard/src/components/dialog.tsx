import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Button } from './button.tsx';
import styles from './dialog.module.css';

interface Props {
  readonly isOpen: boolean;
  readonly title: string;
  /** Absent where the dialog has to be answered. */
  readonly onClose?: () => void;
  /** Escape and a press outside do not close it. */
  readonly mustAnswer?: boolean;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

export function Dialog({ isOpen, title, onClose, mustAnswer = false, isWide, children }: Props) {
  const { t } = useLingui();
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose?.()}
      isDismissable={!mustAnswer}
      isKeyboardDismissDisabled={mustAnswer}
      className={styles['overlay'] ?? ''}
    >
      <Modal className={`${styles['modal']} ${isWide === true ? styles['wide'] : ''}`}>
        <AriaDialog className={styles['dialog'] ?? ''}>
          <header className={styles['head']}>
            <Heading slot="title" className={styles['title'] ?? ''}>
              {title}
            </Heading>
            {onClose !== undefined && (
              <Button kind="quiet" size="icon" aria-label={t`Close`} onPress={onClose}>
                <X size={18} aria-hidden="true" />
              </Button>
            )}
          </header>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
