import { Trans, useLingui } from '@lingui/react/macro';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { type EpisodeDraft, episodeQuery } from '../../api/episode.ts';
import { ApiError, isOffline } from '../../api/errors.ts';
import { loadFailure } from '../../api/load-failure.ts';
import { meQuery } from '../../api/me.ts';
import { showQuery } from '../../api/show-settings.ts';
import { Deferred } from '../../components/deferred.tsx';
import { Loading } from '../../components/loading.tsx';
import { LoadingFailed } from '../../components/loading-failed.tsx';
import { Page } from '../../components/page.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { keepingOf, useKeeping } from '../../editor/keeping.ts';
import type { SaveEngine } from '../../editor/save-engine.ts';
import { useSaveState } from '../../editor/use-save-state.ts';
import { useTitle } from '../../lib/use-title.ts';
import { findCopy, keepCopy, removeCopy } from '../../offline/kept-copies.ts';
import { EpisodeNotFound } from '../../shell/not-found.tsx';
import { recordingOf } from '../../waveform/recording.ts';
import { usePlayer } from '../../waveform/use-player.ts';
import { Audio } from './audio.tsx';
import { Chapters } from './chapters.tsx';
import { Cover } from './cover.tsx';
import { Address, Details } from './details.tsx';
import { EditingContext, useEditing } from './editing.ts';
import styles from './episode.module.css';
import { isPublic } from './episode-fields.ts';
import { People } from './people.tsx';
import { Publishing } from './publishing.tsx';
import { SaveBar } from './save-bar.tsx';
import { Sharing } from './sharing.tsx';
import { Texts } from './texts.tsx';
import { Transcript } from './transcript.tsx';
import { useEngine } from './use-engine.ts';

export function Episode() {
  const { podcastId, episodeId = '' } = useParams({ strict: false });
  const me = useQuery(meQuery);
  const loaded = useQuery(episodeQuery(episodeId));
  const { refetch } = loaded;
  const failure = loadFailure(loaded);
  const { data: kept } = useQuery({
    ...keptEpisodeQuery(episodeId),
    enabled: isOffline(me.failureReason) || isOffline(loaded.failureReason),
  });
  const userId = me.data?.user.id ?? kept?.userId;
  const episode = loaded.data ?? kept?.subject;
  if (episode !== undefined && userId !== undefined) {
    return <WithEngine key={episode.id} userId={userId} episode={episode} />;
  }
  if (failure instanceof ApiError && failure.status === 404)
    return <EpisodeNotFound podcastId={podcastId} />;
  return (
    <NoEpisodeYet>
      {failure !== null && <LoadingFailed error={failure} retry={refetch} />}
    </NoEpisodeYet>
  );
}

/** The screen before the episode is there: it is loading, or the reason why it is not. */
function NoEpisodeYet({ children }: { readonly children?: ReactNode }) {
  const { t } = useLingui();
  return <Page title={t`Episode`}>{children || <Loading label={t`Loading the episode…`} />}</Page>;
}

interface Opened {
  readonly userId: string;
  readonly episode: EpisodeDraft;
}

function WithEngine({ userId, episode }: Opened) {
  const engine = useEngine(userId, episode);
  return engine === undefined ? (
    <NoEpisodeYet />
  ) : (
    <Editing engine={engine} userId={userId} episode={episode} />
  );
}

function Editing({ engine, userId, episode }: Opened & { readonly engine: SaveEngine }) {
  const state = useSaveState(engine);
  const { audioUrl, duration } = recordingOf(episode);
  const player = usePlayer(audioUrl, duration);
  useKeptEpisode(userId, episode, state.dirty);
  const mode = isPublic(episode) ? 'manual' : 'auto';
  useKeeping(episode.may.edit ? keepingOf(state, mode) : undefined);
  const { data: show } = useQuery(showQuery(episode.podcast_id));
  return (
    <EditingContext value={{ engine, state, episode, show, player }}>
      <Deferred until={<NoEpisodeYet />}>
        <EpisodeForm />
      </Deferred>
    </EditingContext>
  );
}

/**
 * Opens an episode with unsaved changes from this browser's copy if the server cannot be reached.
 */
const keptEpisodeQuery = (episodeId: string) =>
  queryOptions({
    queryKey: ['kept', episodeId],
    async queryFn() {
      const kept = await findCopy<EpisodeDraft>(episodeId);
      if (kept === null) return null;
      // A copy from an earlier version of the app has no choices of a status.
      const { may_become = [], to_confirm = [] } = kept.subject as Partial<EpisodeDraft>;
      return { ...kept, subject: { ...kept.subject, may_become, to_confirm } };
    },
    gcTime: 0,
  });

/** Stores a copy of the episode beside its draft while there is something to save. */
function useKeptEpisode(userId: string, episode: EpisodeDraft, isDirty: boolean): void {
  useEffect(() => {
    void (isDirty ? keepCopy(episode.id, { userId, subject: episode }) : removeCopy(episode.id));
  }, [userId, episode, isDirty]);
}

function EpisodeForm() {
  const { t } = useLingui();
  const { values, show } = useEditing();
  useTitle(values.title.trim() || t`Untitled episode`, show?.title);
  return (
    <div className={styles['screen']}>
      <Head />
      <SaveBar />
      <div className={styles['columns']}>
        <div className={styles['texts']}>
          <Audio />
          <Details />
          <Deferred>
            <Texts />
            <Deferred>
              <Chapters />
              <Transcript />
              <People />
            </Deferred>
          </Deferred>
        </div>
        <aside className={styles['side']} aria-label={t`Publication`}>
          <Publishing />
          <Deferred>
            <Cover />
            <Sharing />
            <Address />
          </Deferred>
        </aside>
      </div>
    </div>
  );
}

/** What is edited, and whether it is public. */
function Head() {
  const { t } = useLingui();
  const { values, episode, show } = useEditing();
  const title = values.title.trim() || t`Untitled episode`;
  return (
    <header className={styles['head']}>
      <p className={styles['within']}>
        <Link
          to="/shows/$podcastId/episodes"
          params={{ podcastId: episode.podcast_id }}
          dir="auto"
          title={show?.title}
        >
          {show?.title ?? <Trans>Episodes</Trans>}
        </Link>
      </p>
      <div className={styles['title']}>
        <h1 dir="auto" title={title}>
          {title}
        </h1>
        <StatusBadge status={episode.status} />
      </div>
    </header>
  );
}
