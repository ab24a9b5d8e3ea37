import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type EpisodeDraft, episodeQuery } from '../../api/episode.ts';
import { ApiError, isOffline } from '../../api/errors.ts';
import { loadFailure } from '../../api/load-failure.ts';
import { meQuery } from '../../api/me.ts';
import { showQuery } from '../../api/show-settings.ts';
import { Deferred } from '../../components/deferred.tsx';
import { Loading } from '../../components/loading.tsx';
import { LoadingFailed } from '../../components/loading-failed.tsx';
import { Page } from '../../components/page.tsx';
import { keepingOf, useKeeping } from '../../editor/keeping.ts';
import type { SaveEngine } from '../../editor/save-engine.ts';
import { useSaveState } from '../../editor/use-save-state.ts';
import { EpisodeNotFound } from '../../shell/not-found.tsx';
import { recordingOf } from '../../waveform/recording.ts';
import { usePlayer } from '../../waveform/use-player.ts';
import { EditingContext } from './editing.ts';
import { isPublic } from './episode-fields.ts';
import { EpisodeForm } from './episode-form.tsx';
import { keptEpisodeQuery, useKeptEpisode } from './kept-episode.ts';
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
