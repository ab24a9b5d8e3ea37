import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import type { DialogProps } from './dialog.tsx';

// biome-ignore lint/style/noDefaultExport: React.lazy takes a default export.
export default function OpenDialog(props: DialogProps) {
  const { title, onClose, mustAnswer = false, isWide = false, children } = props;
  const { t } = useLingui();
  return (
    <ModalOverlay
      isOpen
      onOpenChange={(open) => !open && onClose?.()}
      isDismissable={!mustAnswer}
      isKeyboardDismissDisabled={mustAnswer}
      className={styles['overlay'] ?? ''}
    >
      <Modal className={`${styles['modal']} ${isWide ? styles['wide'] : ''}`}>
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
