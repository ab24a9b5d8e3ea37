import { createHash } from 'node:crypto';
import { cardUrl } from '../../foundation/addresses.ts';
import type { Installation } from '../../foundation/context.ts';
import type { ListedEpisode, PublicPodcast } from '../catalogue/index.ts';

/** Counts the designs: networks fetch all cards again after a change of theirs. */
const design = 1;

/**
 * The URL of the card of a show, or of one of its episodes. It changes with what the card shows, because
 * networks keep a picture as long as its URL is the same.
 */
export function versionedCardUrl(
  hosts: Pick<Installation, 'baseUrl'>,
  show: PublicPodcast,
  episode?: ListedEpisode,
): string {
  const { title, author, language, brandColor, artwork } = show;
  const shown = [
    ...[design, title, language, brandColor, artwork?.id, artwork?.color],
    ...(episode === undefined ? [author] : [show.timezone, ...describe(episode)]),
  ];
  const version = createHash('sha256')
    .update(JSON.stringify(shown))
    .digest('base64url')
    .slice(0, 10);
  return cardUrl(hosts, episode?.id ?? show.id, version);
}

function describe(episode: ListedEpisode) {
  const { title, artwork, publishedAt, audio, givenNumber, episodeType, episodeDisplay } = episode;
  const always = [title, artwork?.id, publishedAt, audio?.durationMs, givenNumber, episodeType];
  return episodeDisplay === null ? always : [...always, episodeDisplay];
}
