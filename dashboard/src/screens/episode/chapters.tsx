import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import {
  type Chapter,
  chaptersQuery,
  type EpisodeChapters,
  loadFileChapters,
} from '../../api/recording.ts';
import { Loading } from '../../components/loading.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { UploadField } from '../../uploads/upload-field.tsx';
import { recordingOf } from '../../waveform/recording.ts';
import { useEditing, usePart } from './editing.ts';
import styles from './episode.module.css';
import { PartProblem } from './part-problem.tsx';
import { Section } from './section.tsx';

// Most visits of an episode are about its texts.
const ChaptersEditor = lazy(async () => ({
  default: (await import('../../waveform/chapters/chapters-editor.tsx')).ChaptersEditor,
}));

export function Chapters() {
  const { t } = useLingui();
  const { episode } = useEditing();
  const query = useQuery({ ...chaptersQuery(episode.id), enabled: episode.may.edit });
  if (!episode.may.edit) return null;
  return (
    <Section title={t`Chapters`}>
      <Suspense fallback={<Loading label={t`Loading the chapters…`} />}>
        <QueryView query={query}>{(loaded) => <Editor loaded={loaded} />}</QueryView>
      </Suspense>
    </Section>
  );
}

function Editor({ loaded }: { readonly loaded: EpisodeChapters }) {
  const { episode, player } = useEditing();
  const { value, onChange, problem } = usePart<readonly Chapter[]>('chapters', {
    value: loaded.chapters,
    revision: loaded.revision,
  });
  const recording = recordingOf(episode);
  return (
    <>
      <ChaptersEditor
        value={value}
        onChange={onChange}
        recording={recording}
        player={player}
        loadFileChapters={recording.hasFile ? () => loadFileChapters(episode.id) : undefined}
      />
      <PartProblem>{problem}</PartProblem>
      <ChaptersFile hasChapters={value.length > 0} />
    </>
  );
}

/** A file of chapters, which replace the chapters here. */
function ChaptersFile({ hasChapters }: { readonly hasChapters: boolean }) {
  const { t } = useLingui();
  const { episode } = useEditing();
  return (
    <details className={styles['more']}>
      <summary>
        <Trans>Upload chapters…</Trans>
      </summary>
      <UploadField
        target={{ purpose: 'chapters', podcastId: episode.podcast_id, episodeId: episode.id }}
        label={t`Choose a chapters file`}
        hint={
          hasChapters
            ? t`JSON (Podcasting 2.0), Podlove Simple Chapters, WebVTT, or a list of times and titles. It replaces these chapters.`
            : t`JSON (Podcasting 2.0), Podlove Simple Chapters, WebVTT, or a list of times and titles.`
        }
        accept=".json,.vtt,.txt,.psc,.xml,application/json,application/json+chapters,text/*"
      />
    </details>
  );
}
