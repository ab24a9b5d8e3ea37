import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense } from 'react';
import { Loading } from '../../components/loading.tsx';
import { UploadField } from '../../uploads/upload-field.tsx';
import { recordingOf } from '../../waveform/recording.ts';
import { useEditing } from './editing.ts';
import { Section } from './section.tsx';

// Most visits of an episode are about its texts.
const EpisodeChapters = lazy(async () => ({
  default: (await import('../../waveform/chapters/episode-chapters.tsx')).EpisodeChapters,
}));
const EpisodeTranscript = lazy(async () => ({
  default: (await import('../../waveform/transcript/episode-transcript.tsx')).EpisodeTranscript,
}));
const EpisodeReplacement = lazy(async () => ({
  default: (await import('../../waveform/replacement/episode-replacement.tsx')).EpisodeReplacement,
}));

/** New audio that waits to be accepted; nothing where there is none. */
export function Replacement() {
  const { episode } = useEditing();
  if (!episode.may.edit || episode.audio === null) return null;
  return (
    <Suspense fallback={null}>
      <EpisodeReplacement recording={recordingOf(episode)} />
    </Suspense>
  );
}

export function Chapters() {
  const { t } = useLingui();
  const { episode } = useEditing();
  if (!episode.may.edit) return null;
  return (
    <Section title={t`Chapters`}>
      <Suspense fallback={<Loading label={t`Loading the chapters…`} />}>
        <EpisodeChapters recording={recordingOf(episode)} />
      </Suspense>
    </Section>
  );
}

export function Transcript() {
  const { t } = useLingui();
  const { episode, show } = useEditing();
  return (
    <Section title={t`Transcript`}>
      {episode.transcript === null ? (
        <>
          <p className="meta">
            <Trans>This episode has no transcript yet.</Trans>
          </p>
          {episode.may.transcript && (
            <UploadField
              target={{
                purpose: 'transcript',
                podcastId: episode.podcast_id,
                episodeId: episode.id,
                ...(show !== undefined && { language: show.language }),
              }}
              label={t`Choose a transcript`}
              hint={t`WebVTT, SRT, JSON or HTML.`}
              accept=".vtt,.srt,.json,.html,text/vtt,application/json,text/html"
            />
          )}
        </>
      ) : (
        <Suspense fallback={<Loading label={t`Loading the transcript…`} />}>
          <EpisodeTranscript
            recording={recordingOf(episode)}
            isReadOnly={!episode.may.transcript}
          />
        </Suspense>
      )}
    </Section>
  );
}
