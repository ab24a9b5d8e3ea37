import { useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { Text } from 'react-aria-components/Text';
import {
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components/Toast';
import { Button } from './button.tsx';
import styles from './toast-region.module.css';
import { type Message, takeMessages } from './toasts.ts';
import { TriggerButton } from './trigger-button.tsx';

const queue = new ToastQueue<Message>({ maxVisibleToasts: 4 });
takeMessages((message, options) => queue.add(message, options));

/** Loaded with the first message. */
// biome-ignore lint/style/noDefaultExport: React.lazy takes a default export.
export default function ToastRegionOfApp() {
  const { t } = useLingui();
  return (
    <ToastRegion queue={queue} className={styles['region'] ?? ''} aria-label={t`Messages`}>
      {({ toast }) => (
        <Toast toast={toast} className={styles['toast'] ?? ''}>
          <ToastContent className={styles['text'] ?? ''}>
            <Text slot="title">{toast.content.text}</Text>
          </ToastContent>
          {toast.content.action !== undefined && (
            <Button
              size="small"
              onPress={() => {
                toast.content.action?.act();
                queue.close(toast.key);
              }}
            >
              {toast.content.action.label}
            </Button>
          )}
          <TriggerButton kind="quiet" size="icon" slot="close" aria-label={t`Close`}>
            <X size={16} aria-hidden="true" />
          </TriggerButton>
        </Toast>
      )}
    </ToastRegion>
  );
}
