import { Trans } from '@lingui/react/macro';
import { Notice } from '../components/notice.tsx';
import { SuspensionText } from '../components/suspension-text.tsx';
import { useShow } from './use-show.ts';

/**
 * Says above every screen of a suspended show that it is suspended, why, and what ends it; and of a
 * paused one that its new episodes do not appear.
 */
export function SuspensionNotice({ podcastId }: { readonly podcastId: string | undefined }) {
  const show = useShow(podcastId);
  const cause = show?.suspended_for ?? null;
  if (cause === null && show?.status !== 'paused') return null;
  return (
    <Notice tone="warn">
      {cause !== null ? (
        <SuspensionText cause={cause} />
      ) : (
        <Trans>New episodes appear nowhere until you resume the show.</Trans>
      )}
    </Notice>
  );
}
