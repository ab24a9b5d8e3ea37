import type { Installation } from '../../../domain/foundation/context.ts';
import type {
  BriefEpisode,
  ListedEpisode,
  PublicPodcast,
} from '../../../domain/public/catalogue/index.ts';
import { type Words, wordsIn } from '../words.ts';

export interface Hosts extends Pick<Installation, 'baseUrl' | 'embedUrl'> {
  /** Pictures are those that members see. */
  readonly forMembers?: boolean;
}

/** The data of all parts of a listen page. */
export interface View {
  readonly hosts: Hosts;
  readonly show: PublicPodcast;
  readonly words: Words;
}

export interface EpisodeView<Episode extends BriefEpisode = ListedEpisode> extends View {
  readonly episode: Episode;
}

export function createView(hosts: Hosts, show: PublicPodcast): View {
  return { hosts, show, words: wordsIn(show.language) };
}
