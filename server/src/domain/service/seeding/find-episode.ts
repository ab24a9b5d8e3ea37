interface FoundEpisode<E> {
  /** The podcast's ref. */
  readonly podcast: string;
  readonly episode: E;
}

/** Finds `podcast/episode`, or the bare ref where only one podcast has such an episode. */
export function createEpisodeFinder<E extends { readonly ref: string }>(
  podcasts: readonly { readonly ref: string; readonly episodes: readonly E[] }[],
): (ref: string) => FoundEpisode<E> | 'none' | 'several' {
  const found = new Map<string, FoundEpisode<E> | 'several'>();
  for (const { ref: podcast, episodes } of podcasts) {
    for (const episode of episodes) {
      found.set(`${podcast}/${episode.ref}`, { podcast, episode });
      found.set(episode.ref, found.has(episode.ref) ? 'several' : { podcast, episode });
    }
  }
  return (ref) => found.get(ref) ?? 'none';
}
