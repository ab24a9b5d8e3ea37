import { useLingui } from '@lingui/react/macro';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { EpisodeDraft } from '../../api/episode.ts';
import type { Chapter } from '../../api/recording.ts';
import { isForm } from '../../editor/draft-store.ts';
import { draftStore, openEngine } from '../../editor/open-engine.ts';
import { purgeDrafts } from '../../editor/purge-drafts.ts';
import type { Check } from '../../editor/refused-fields.ts';
import type { SaveEngine } from '../../editor/save-engine.ts';
import { useSignIn } from '../../editor/use-save-state.ts';
import { hasRefused } from '../../waveform/chapters/check-rows.ts';
import { recordingOf } from '../../waveform/recording.ts';
import { tryReadField } from '../../waveform/transcript/segment-fields.ts';
import { isPublic, stateOf } from './episode-fields.ts';
import { createEpisodeServer } from './episode-server.ts';

/** Saves the episode while the screen is open. Undefined at first. */
export function useEngine(userId: string, episode: EpisodeDraft): SaveEngine | undefined {
  const queries = useQueryClient();
  const [engine, setEngine] = useState<SaveEngine>();
  const first = useRef(episode);
  const check = useCheck(episode);
  const mode = isPublic(episode) ? 'manual' : 'auto';
  useEffect(() => {
    const initial = first.current;
    const opened = openEngine({
      key: { userId, subjectId: initial.id },
      initial: stateOf(initial),
      mode: isPublic(initial) ? 'manual' : 'auto',
      server: createEpisodeServer(initial.id, queries),
      check,
    });
    let isOpen = true;
    // Shown only then, so that nobody edits a text that is older than their draft.
    void opened.started.then(() => isOpen && setEngine(opened.engine));
    return () => {
      isOpen = false;
      void opened.leave();
    };
  }, [userId, queries, check]);
  useEffect(() => engine?.setMode(mode), [engine, mode]);
  // The query is asked again when anybody changes the episode.
  useEffect(() => void engine?.noticeRevision(episode.revision), [engine, episode.revision]);
  useEffect(() => void purgeOnce(userId, queries), [userId, queries]);
  useSignIn(engine);
  return engine;
}

let purged = false;

/** Removes old drafts that are saved. */
async function purgeOnce(userId: string, queries: QueryClient): Promise<void> {
  if (purged) return;
  purged = true;
  const serverOf = (subjectId: string) =>
    isForm(subjectId) ? undefined : createEpisodeServer(subjectId, queries);
  // A browser without storage has nothing to remove.
  await purgeDrafts({ userId, store: draftStore, serverOf, now: Date.now() }).catch(() => {});
}

/**
 * Finds values that the server would refuse. It stays the same function, but uses the present
 * episode.
 */
function useCheck(episode: EpisodeDraft): Check {
  const { t } = useLingui();
  const newest = useRef<Check>(undefined);
  newest.current = (field, value) => {
    if (field === 'chapters') {
      const chapters = (value ?? []) as unknown as readonly Chapter[];
      return hasRefused(chapters, recordingOf(episode))
        ? t`Some chapters can’t be saved as they are.`
        : undefined;
    }
    const isBlank = typeof value === 'string' && value.trim() === '';
    return isBlank && tryReadField(field)?.name === 'text'
      ? t`A segment without text can’t be saved.`
      : undefined;
  };
  return useRef<Check>((field, value) => newest.current?.(field, value)).current;
}
