import { lazy, Suspense } from 'react';

const FirstSteps = lazy(() => import('./first-steps.tsx'));

interface Props {
  readonly podcastId: string;
  readonly may: (capability: string) => boolean;
}

/** For members who edit the show and see every episode; the list does not wait for them. */
export function FirstStepsLater({ podcastId, may }: Props) {
  if (!may('show.settings') || !may('episodes.view_all')) return null;
  return (
    <Suspense>
      <FirstSteps key={podcastId} podcastId={podcastId} />
    </Suspense>
  );
}
