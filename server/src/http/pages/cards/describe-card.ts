import type { Card } from '../../../domain/public/cards/index.ts';
import type { ListedEpisode, PublicPodcast } from '../../../domain/public/catalogue/index.ts';
import type { Quote } from '../../../domain/publishing/transcripts/index.ts';
import { shorten } from '../../../lib/shorten.ts';
import { showColor } from '../color.ts';
import { formatDate, formatLength } from '../format.ts';
import { findNumber } from '../listen/episode-facts.ts';
import { initialOf } from '../listen/picture.ts';
import { directionOf } from '../page-language.ts';
import { wordsIn } from '../words.ts';
import { createCardColors } from './card-colors.ts';

/** More is not legible on a card, and takes long to set. */
const mostChars = { main: 400, line: 120 } as const;

/** The card of a show. */
export function describeShowCard(show: PublicPodcast): Card {
  const { title, author } = show;
  return describe(show, { main: title, byline: author.trim() === title.trim() ? '' : author });
}

/** The card of an episode, with the show's cover if it has none. */
export function describeEpisodeCard(show: PublicPodcast, episode: ListedEpisode): Card {
  const { title, artwork, publishedAt, audio } = episode;
  const { language, timezone } = show;
  const words = wordsIn(language);
  const number = findNumber(episode, language);
  const facts = [
    number !== undefined && ('name' in number ? number.name : words.text('episode', number)),
    formatDate(publishedAt, language, timezone),
    audio?.durationMs != null && formatLength(audio.durationMs, language),
  ].filter((fact) => fact !== false);
  const cover = artwork ?? show.artwork;
  return describe(show, { cover, lead: show.title, main: title, facts: facts.join(' · ') });
}

/** The card of what is said in an episode. */
export function describeQuoteCard(
  show: PublicPodcast,
  { title, artwork }: ListedEpisode,
  { speaker, text }: Quote,
): Card {
  const cover = artwork ?? show.artwork;
  const [byline, source] =
    speaker === '' ? [title, show.title] : [speaker, `${show.title} · ${title}`];
  return { ...describe(show, { cover, main: text, byline, facts: source }), isQuote: true };
}

type Shown = Partial<Pick<Card, 'lead' | 'byline' | 'facts'>> &
  Pick<Card, 'main'> & { readonly cover?: PublicPodcast['artwork'] };

function describe(show: PublicPodcast, shown: Shown): Card {
  const { cover = show.artwork, main, lead = '', byline = '', facts = '' } = shown;
  return {
    cover: cover?.id ?? null,
    initial: initialOf(show.title),
    colors: createCardColors(showColor(show)),
    language: show.language,
    direction: directionOf(show.language),
    isQuote: false,
    main: shorten(main, mostChars.main),
    lead: shorten(lead, mostChars.line),
    byline: shorten(byline, mostChars.line),
    facts: shorten(facts, mostChars.line),
  };
}
