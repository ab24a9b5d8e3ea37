import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { transcriptQuery } from '../../api/recording.ts';
import { Loading } from '../../components/loading.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { UploadField } from '../../uploads/upload-field.tsx';
import { recordingOf } from '../../waveform/recording.ts';
import { useEditing } from './editing.ts';
import { PartProblem } from './part-problem.tsx';
import { Section } from './section.tsx';
import { TranscriptSharing } from './transcript-sharing.tsx';
import { useSegments } from './use-segments.ts';

// Most visits of an episode are about its texts.
const TranscriptEditor = lazy(async () => ({
  default: (await import('../../waveform/transcript/transcript-editor.tsx')).TranscriptEditor,
}));

export function Transcript() {
  const { t } = useLingui();
  const { episode } = useEditing();
  return (
    <Section title={t`Transcript`}>
      {episode.transcript === null ? (
        <NoTranscript />
      ) : (
        <>
          <TranscriptSharing />
          <Suspense fallback={<Loading label={t`Loading the transcript…`} />}>
            <Loaded />
          </Suspense>
        </>
      )}
    </Section>
  );
}

function Loaded() {
  const { episode } = useEditing();
  const query = useQuery(transcriptQuery(episode.id));
  return <QueryView query={query}>{(loaded) => <Editor loaded={loaded} />}</QueryView>;
}

type EditorProps = { readonly loaded: Parameters<typeof useSegments>[0] };

function Editor({ loaded }: EditorProps) {
  const { engine, episode, player } = useEditing();
  const { segments, edits, change, problem } = useSegments(loaded);
  const { peaks } = recordingOf(episode);
  const isReadOnly = !episode.may.transcript;
  return (
    <>
      <TranscriptEditor
        segments={segments}
        edits={edits}
        onChange={change}
        onLeave={() => void engine.flush()}
        isReadOnly={isReadOnly}
        peaks={peaks}
        player={player}
      />
      {isReadOnly && (
        <p className="meta">
          <Trans>You may read this transcript, and not change it.</Trans>
        </p>
      )}
      <PartProblem>{problem}</PartProblem>
    </>
  );
}

function NoTranscript() {
  const { t } = useLingui();
  const { episode, show } = useEditing();
  const target = {
    purpose: 'transcript' as const,
    podcastId: episode.podcast_id,
    episodeId: episode.id,
    ...(show !== undefined && { language: show.language }),
  };
  return (
    <>
      <p className="meta">
        <Trans>This episode has no transcript yet.</Trans>
      </p>
      {episode.may.transcript && (
        <UploadField
          target={target}
          label={t`Choose a transcript`}
          hint={t`WebVTT, SRT, JSON or HTML.`}
          accept=".vtt,.srt,.json,.html,text/vtt,application/json,text/html"
        />
      )}
    </>
  );
}
