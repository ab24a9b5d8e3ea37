import { createHash } from 'node:crypto';
import type {
  PublicCredit,
  PublicEpisodeDetail,
  PublicPodcast,
} from '../../../public/catalogue/index.ts';
import type { WebhookPresenter } from '../webhook.ts';

/**
 * A hash of what the public sees of an episode, without what the episode takes from its show: its
 * slug, domain, title and roster. So a change of the show alone changes no episode.
 */
export function hashEpisode(
  present: WebhookPresenter,
  show: PublicPodcast,
  episode: PublicEpisodeDetail,
): Buffer {
  const nowhere = { slug: '', domain: null };
  const anyShow: PublicPodcast = { ...show, ...nowhere, title: '', playerWaveform: true };
  const isRoster = namesOf(episode.people) === namesOf(show.roster);
  const people = isRoster ? [] : episode.people;
  return hash(present.episode(anyShow, { ...episode, people }));
}

/** The same for a show. The number of its episodes says nothing about the show itself. */
export function hashShow(present: WebhookPresenter, show: PublicPodcast): Buffer {
  return hash(present.podcast(show, 0));
}

const namesOf = (people: readonly PublicCredit[]) =>
  JSON.stringify(people.map(({ name, role, photo }) => [name, role, photo?.id]));

const hash = (text: string) => createHash('sha256').update(text).digest();
