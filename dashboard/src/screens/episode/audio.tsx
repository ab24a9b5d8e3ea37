import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { audioFileGibibytes } from '../../../../server/src/lib/limits.ts';
import { formatBytes, formatDuration } from '../../lib/format.ts';
import { UploadField } from '../../uploads/upload-field.tsx';
import type { Player } from '../../waveform/player.ts';
import { recordingOf } from '../../waveform/recording.ts';
import { Waveform } from '../../waveform/waveform.tsx';
import { useEditing } from './editing.ts';
import styles from './episode.module.css';
import { Section } from './section.tsx';

const audioTypes = 'audio/*,.mp3,.m4a,.aac,.ogg,.opus,.flac,.wav,.mp4';

/** The audio: listening back, its facts, and a new recording in its place. */
export function Audio() {
  const { t } = useLingui();
  const { episode } = useEditing();
  const { audio, id, podcast_id: podcastId, may } = episode;
  return (
    <Section title={t`Audio`}>
      {audio === null ? (
        <>
          <p className="meta">
            <Trans>This episode has no audio yet.</Trans>
          </p>
          {may.set_audio && (
            <UploadField
              target={{ purpose: 'audio', podcastId, episodeId: id }}
              label={t`Choose an audio file`}
              hint={t`MP3, M4A, AAC, Ogg, Opus, FLAC or WAV, up to ${audioFileGibibytes} GB.`}
              accept={audioTypes}
            />
          )}
          {may.edit && !may.set_audio && (
            <p className="meta">
              <Trans>
                This episode is published, so adding audio puts it in the feed. Only someone who can
                publish episodes can add it.
              </Trans>
            </p>
          )}
        </>
      ) : (
        <>
          <Listening />
          <Facts audio={audio} />
          <Replacement />
          {may.set_audio && (
            <details className={styles['more']}>
              <summary>
                <Trans>Replace audio…</Trans>
              </summary>
              <UploadField
                target={{ purpose: 'audio', podcastId, episodeId: id, isReplacement: true }}
                label={t`Choose the new recording`}
                hint={t`We’ll compare it with the current one. Before anything changes, you’ll see which chapters and which parts of the transcript move with it.`}
                accept={audioTypes}
              />
            </details>
          )}
        </>
      )}
    </Section>
  );
}

type AudioFacts = NonNullable<ReturnType<typeof useEditing>['episode']['audio']>;

function Facts({ audio }: { readonly audio: AudioFacts }) {
  const { t } = useLingui();
  const facts = [
    ...(audio.duration_seconds === null ? [] : [formatDuration(audio.duration_seconds)]),
    ...(audio.size_bytes === null ? [] : [formatBytes(audio.size_bytes)]),
    audio.content_type,
    ...(audio.is_external ? [t`hosted elsewhere`] : []),
  ];
  return <p className="meta">{facts.join(' · ')}</p>;
}

/** The episode's player: with the waveform, or the browser's own player if there is none. */
function Listening() {
  const { episode, player } = useEditing();
  const { peaks } = recordingOf(episode);
  if (player === undefined) return <div className={styles['player']} />;
  if (peaks === null) return <PlainPlayer player={player} />;
  return <Waveform player={player} peaks={peaks} />;
}

function PlainPlayer({ player }: { readonly player: Player }) {
  const { t } = useLingui();
  const { title } = useEditing().episode;
  const place = useRef<HTMLDivElement>(null);
  const label = t`Audio of ${title}`;
  useEffect(() => player.showIn(place.current, label), [player, label]);
  return <div ref={place} className={styles['player']} />;
}

const EpisodeReplacement = lazy(async () => ({
  default: (await import('../../waveform/replacement/episode-replacement.tsx')).EpisodeReplacement,
}));

/** New audio that waits to be accepted; empty if there is none. */
function Replacement() {
  const { engine, episode } = useEditing();
  if (!episode.may.edit || episode.audio === null) return null;
  return (
    <Suspense fallback={null}>
      <EpisodeReplacement recording={recordingOf(episode)} save={() => engine.flush()} />
    </Suspense>
  );
}
