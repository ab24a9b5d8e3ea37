import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { type EpisodeTranscript, transcriptQuery } from '../../api/recording.ts';
import { Checkbox } from '../../components/checkbox.tsx';
import { Loading } from '../../components/loading.tsx';
import { Notice } from '../../components/notice.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { sameValue } from '../../editor/fields.ts';
import { LeftOutText } from '../../uploads/left-out-text.tsx';
import { UploadField } from '../../uploads/upload-field.tsx';
import { useOwnUploads } from '../../uploads/use-own-uploads.ts';
import { recordingOf } from '../../waveform/recording.ts';
import { changedFields, editsOf, tryReadField } from '../../waveform/transcript/segment-fields.ts';
import { applyEdit, type Edits } from '../../waveform/transcript/transcript-edits.ts';
import { useEditing, useField } from './editing.ts';
import { PartProblem } from './part-problem.tsx';
import { Section } from './section.tsx';

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
  const { own } = useOwnUploads(useTarget());
  const query = useQuery(transcriptQuery(episode.id));
  return (
    <>
      {own.map(
        ({ id, state }) =>
          state.kind === 'ready' &&
          (state.result.leftOut?.count ?? 0) > 0 && (
            <Notice key={id} tone="warn">
              <LeftOutText leftOut={state.result.leftOut} />
            </Notice>
          ),
      )}
      <QueryView query={query}>{(loaded) => <Editor loaded={loaded} />}</QueryView>
    </>
  );
}

type EditorProps = { readonly loaded: Parameters<typeof useSegments>[0] };

function Editor({ loaded }: EditorProps) {
  const { engine, episode, player } = useEditing();
  const { segments, edits, change, problem } = useSegments(loaded);
  const { peaks } = recordingOf(episode);
  const isReadOnly = !episode.may.transcript;
  return (
    <>
      {!loaded.has_times && (
        <p className="meta">
          <Trans>This transcript has no times. It’s published as text, not as captions.</Trans>
        </p>
      )}
      <TranscriptEditor
        hasTimes={loaded.has_times}
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
          <Trans>You can read this transcript but not edit it.</Trans>
        </p>
      )}
      <PartProblem>{problem}</PartProblem>
    </>
  );
}

/** Nothing that is public may be called missing. */
function WhyNone() {
  const { episode, values } = useEditing();
  if (!episode.has_transcript) return <Trans>This episode has no transcript yet.</Trans>;
  if (!values.publish_transcript) {
    return <Trans>This episode has a transcript. It isn’t shared with you.</Trans>;
  }
  return episode.status === 'published' ? (
    <Trans>
      This episode has a transcript. It’s public on{' '}
      <a href={episode.links.listen} target="_blank" rel="noopener">
        the episode’s page
      </a>
      , but it isn’t shared with you here.
    </Trans>
  ) : (
    <Trans>
      This episode has a transcript. It will be public with the episode, but it isn’t shared with
      you here.
    </Trans>
  );
}

function useTarget() {
  const { episode, show } = useEditing();
  return {
    purpose: 'transcript' as const,
    podcastId: episode.podcast_id,
    episodeId: episode.id,
    ...(show !== undefined && { language: show.language }),
  };
}

function NoTranscript() {
  const { t } = useLingui();
  const { episode } = useEditing();
  const target = useTarget();
  return (
    <>
      <p className="meta">
        <WhyNone />
      </p>
      {episode.may.transcript && (
        <UploadField
          target={target}
          label={t`Choose a transcript`}
          hint={t`WebVTT, SRT, TTML, JSON, HTML, plain text, or an export from a transcription program.`}
          accept=".vtt,.srt,.sbv,.ass,.ttml,.xml,.json,.html,.txt,.md,.tsv,.csv,text/*,application/json,application/ttml+xml"
        />
      )}
    </>
  );
}

/** Who may read the transcript, in addition to those who edit it. */
function TranscriptSharing() {
  const { values } = useEditing();
  return (
    <>
      <Choice name="publish_transcript">
        <Trans>Public: on the episode’s page, in the player, and in apps through the feed</Trans>
      </Choice>
      <Choice name="share_transcript_with_cohosts">
        <Trans>
          Shared with the team: everyone who can see this episode can read it, including co-hosts
        </Trans>
      </Choice>
      {!values.publish_transcript && (
        <p className="meta">
          <Trans>Listeners don’t see this transcript yet.</Trans>
        </p>
      )}
    </>
  );
}

interface Props {
  readonly name: 'publish_transcript' | 'share_transcript_with_cohosts';
  readonly children: ReactNode;
}

function Choice({ name, children }: Props) {
  const { episode } = useEditing();
  const { value, onChange, onBlur, isReadOnly } = useField(name);
  return (
    <Checkbox
      isSelected={value}
      onChange={onChange}
      onBlur={onBlur}
      isDisabled={isReadOnly || !episode.may.transcript}
    >
      {children}
    </Checkbox>
  );
}

/** The segments of the server, and the person's changes to them. */
function useSegments({ segments: loaded, revision }: EpisodeTranscript) {
  const { engine, state } = useEditing();
  const { base, values, problems } = state;
  const segments = useMemo(() => {
    const saved = editsOf(base);
    return saved.size === 0
      ? loaded
      : loaded.map((segment) => applyEdit(segment, saved.get(segment.index)));
  }, [loaded, base]);
  const edits = useMemo(
    () => editsOf(values, (field) => !sameValue(values[field], base[field])),
    [values, base],
  );
  return {
    segments,
    edits,
    change(next: Edits) {
      const { changes, read } = changedFields(segments, edits, next);
      engine.edit(changes, { revision, fields: read });
    },
    problem: Object.entries(problems).find(([field]) => tryReadField(field) !== undefined)?.[1],
  };
}
