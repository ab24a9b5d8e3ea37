import { lazy, Suspense } from 'react';
import { recordingOf } from '../../waveform/recording.ts';
import { useEditing } from './editing.ts';

const EpisodeReplacement = lazy(async () => ({
  default: (await import('../../waveform/replacement/episode-replacement.tsx')).EpisodeReplacement,
}));

/** New audio that waits to be accepted; empty if there is none. */
export function Replacement() {
  const { engine, episode } = useEditing();
  if (!episode.may.edit || episode.audio === null) return null;
  return (
    <Suspense fallback={null}>
      <EpisodeReplacement recording={recordingOf(episode)} save={() => engine.flush()} />
    </Suspense>
  );
}
