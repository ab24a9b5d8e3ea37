import { Trans, useLingui } from '@lingui/react/macro';
import { NothingHere } from '../components/query-view.tsx';
import { useTitle } from '../lib/use-title.ts';
import { useShow } from './use-show.ts';

export function NotFound() {
  const { t } = useLingui();
  useTitle(t`Not found`);
  return <NothingHere isPage />;
}

/** For an episode: a co-host may be missing a credit. It says the same if there is no such episode. */
export function EpisodeNotFound({ podcastId }: { readonly podcastId: string | undefined }) {
  const { t } = useLingui();
  const show = useShow(podcastId);
  useTitle(t`Not found`);
  if (show === undefined || show.sees_all_episodes) return <NothingHere isPage />;
  const { title } = show;
  return (
    <NothingHere isPage>
      <Trans>
        Your role on <bdi>{title}</bdi> can only see episodes that credit you; being on the roster
        isn’t enough. If this is one of yours, ask someone who manages the team to credit you.
      </Trans>
    </NothingHere>
  );
}
