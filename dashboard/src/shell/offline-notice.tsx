import { Trans } from '@lingui/react/macro';
import { Notice } from '../components/notice.tsx';
import { type Keeping, useCommonKeeping } from '../editor/keeping.ts';
import { useOnline } from '../offline/use-online.ts';

/** Says that the browser has no network, and what becomes of the text in the open forms. */
export function OfflineNotice() {
  const isOnline = useOnline();
  const keeping = useCommonKeeping();
  if (isOnline) return null;
  return (
    <Notice tone="warn">
      <Consequence keeping={keeping} />
    </Notice>
  );
}

function Consequence({ keeping }: { readonly keeping: Keeping | undefined }) {
  switch (keeping) {
    case 'saved_later':
      return <Trans>You are offline. What you type is kept in this browser and saved later.</Trans>;
    case 'until_saved':
      return (
        <Trans>You are offline. What you type is kept in this browser until you can save it.</Trans>
      );
    case undefined:
      return <Trans>You are offline. Nothing can be saved until the connection is back.</Trans>;
  }
}
