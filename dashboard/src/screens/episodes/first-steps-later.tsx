import { lazy, Suspense } from 'react';

const FirstSteps = lazy(() => import('./first-steps.tsx'));

interface Props {
  readonly podcastId: string;
  readonly may: (capability: string) => boolean;
}

/** For those who edit the show; the list of episodes does not wait for them. */
export function FirstStepsLater({ podcastId, may }: Props) {
  if (!may('show.settings')) return null;
  return (
    <Suspense>
      <FirstSteps key={podcastId} podcastId={podcastId} />
    </Suspense>
  );
}
