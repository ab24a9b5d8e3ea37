import type { PublicEpisode, Show } from '../../../domain/catalogue/index.ts';
import type { Installation } from '../../../domain/context.ts';
import { type Words, wordsIn } from '../words.ts';

export type Hosts = Pick<Installation, 'baseUrl' | 'embedUrl'>;

/** What every part of a listen page is drawn from. */
export interface View {
  readonly hosts: Hosts;
  readonly show: Show;
  readonly words: Words;
}

export interface EpisodeView extends View {
  readonly episode: PublicEpisode;
}

export function createView(hosts: Hosts, show: Show): View {
  return { hosts, show, words: wordsIn(show.language) };
}
