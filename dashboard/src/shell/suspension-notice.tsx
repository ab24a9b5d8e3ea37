import { Notice } from '../components/notice.tsx';
import { SuspensionText } from '../components/suspension-text.tsx';
import { useShow } from './use-show.ts';

/** Says above every screen of a suspended show that it is suspended, why, and what ends it. */
export function SuspensionNotice({ podcastId }: { readonly podcastId: string | undefined }) {
  const cause = useShow(podcastId)?.suspended_for ?? null;
  if (cause === null) return null;
  return (
    <Notice tone="warn">
      <SuspensionText cause={cause} />
    </Notice>
  );
}
