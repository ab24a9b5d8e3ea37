import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type EpisodeDraft, episodeQuery } from '../../api/episode.ts';
import { draftStore, openEngine } from '../../editor/open-engine.ts';
import { purgeDrafts } from '../../editor/purge-drafts.ts';
import type { SaveEngine } from '../../editor/save-engine.ts';
import type { SaveState } from '../../editor/save-state.ts';
import { askToSignIn, needsSignIn, subscribeToSignIn } from '../../shell/sign-in-state.ts';
import { isPublic, stateOf } from './episode-fields.ts';
import { createEpisodeServer } from './episode-server.ts';

/** Saves the episode as long as the screen is open. Undefined for the first moment. */
export function useEngine(userId: string, episode: EpisodeDraft): SaveEngine | undefined {
  const queries = useQueryClient();
  const [engine, setEngine] = useState<SaveEngine>();
  const first = useRef(episode);
  const mode = isPublic(episode) ? 'manual' : 'auto';
  useEffect(() => {
    const initial = first.current;
    const { queryKey } = episodeQuery(initial.id);
    const keep = (loaded: EpisodeDraft) => queries.setQueryData(queryKey, loaded);
    const opened = openEngine({
      key: { userId, episodeId: initial.id },
      initial: stateOf(initial),
      mode: isPublic(initial) ? 'manual' : 'auto',
      server: createEpisodeServer(initial.id, keep),
    });
    let isOpen = true;
    // Nobody should begin to type in an older text than their own.
    void opened.started.then(() => isOpen && setEngine(opened.engine));
    return () => {
      isOpen = false;
      void opened.leave();
    };
  }, [userId, queries]);
  useEffect(() => engine?.setMode(mode), [engine, mode]);
  // The query is asked again when anybody changes the episode.
  useEffect(() => void engine?.noticeRevision(episode.revision), [engine, episode.revision]);
  useEffect(() => void purgeOnce(userId), [userId]);
  useSignIn(engine);
  return engine;
}

let purged = false;

/** Old drafts that are saved need no place in the browser. */
async function purgeOnce(userId: string): Promise<void> {
  if (purged) return;
  purged = true;
  const serverOf = (episodeId: string) => createEpisodeServer(episodeId, () => {});
  // Where the browser keeps nothing, there is nothing to remove.
  await purgeDrafts({ userId, store: draftStore, serverOf, now: Date.now() }).catch(() => {});
}

/** A session that has ended opens the dialog over the page; typing goes on, and then it is saved. */
function useSignIn(engine: SaveEngine | undefined): void {
  useEffect(() => {
    if (engine === undefined) return undefined;
    const unsubscribe = engine.subscribe(() => {
      if (engine.state.status === 'signed-out' && !needsSignIn()) askToSignIn();
    });
    const unsubscribeFromSignIn = subscribeToSignIn(() => {
      if (!needsSignIn()) void engine.resume();
    });
    return () => {
      unsubscribe();
      unsubscribeFromSignIn();
    };
  }, [engine]);
}

export function useSaveState(engine: SaveEngine): SaveState {
  return useSyncExternalStore(
    (listener) => engine.subscribe(listener),
    () => engine.state,
  );
}
