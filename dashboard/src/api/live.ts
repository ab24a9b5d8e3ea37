import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { EpisodeDraft } from './episode.ts';
import { type Stream, watchEvents } from './events.ts';

/** Reloads what others change, while a screen of a show is open. */
export function useLiveShow(podcastId: string): void {
  const queries = useQueryClient();
  useEffect(() => watchShow(queries, podcastId), [queries, podcastId]);
}

/** This window has read all that it shows after its page. */
const positionOfPage =
  document.querySelector<HTMLMetaElement>('meta[name="podstead-position"]')?.content ?? '';

/** By show. Each is continued when a screen of its show is opened again. */
const streams = new Map<string, Stream>();

function streamOf(podcastId: string): Stream {
  const stream = streams.get(podcastId) ?? {
    urlSince: (position) =>
      `/app/api/events?${new URLSearchParams({ podcast: podcastId, since: position })}`,
    position: positionOfPage,
  };
  streams.set(podcastId, stream);
  return stream;
}

function watchShow(queries: QueryClient, podcastId: string): () => void {
  const refresh = (...keys: readonly (readonly string[])[]) => {
    // Not for data in editors, which learn of changes when they save: typed text must stay.
    const predicate = ({ meta }: Query) => meta?.['isEdited'] !== true;
    for (const queryKey of keys) void queries.invalidateQueries({ queryKey, predicate });
  };
  const steps = ['first-steps', podcastId];
  const lists = [['episodes', podcastId], ['home'], steps];
  return watchEvents(streamOf(podcastId), {
    on: {
      // Says only that the stream has begun: everything up to its id was sent.
      ready: () => {},
      'podcast.changed': () => refresh(['show', podcastId], ['podcasts'], ['home'], steps),
      'podcast.reset': () => refresh(['show', podcastId], ['episode'], ...lists),
      'episode.changed': (data) => {
        const { episode_id: id, revision } = data as { episode_id: string; revision: number };
        const known = queries.getQueryData<EpisodeDraft>(['episode', id])?.revision ?? 0;
        refresh(...lists, ...(known < revision ? [['episode', id]] : []));
      },
      'episode.deleted': () => refresh(...lists),
    },
    onGap: () => refresh(['show', podcastId], ['episode'], ...lists),
  });
}
