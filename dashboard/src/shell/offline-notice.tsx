import { Trans } from '@lingui/react/macro';
import { useSyncExternalStore } from 'react';
import { Notice } from '../components/notice.tsx';

const subscribe = (listener: () => void) => {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
};

/** Says that the browser has no network, and that no typed text is lost. */
export function OfflineNotice() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  if (isOnline) return null;
  return (
    <Notice tone="warn">
      <Trans>You are offline. What you type is kept in this browser and saved later.</Trans>
    </Notice>
  );
}
