import { type Html, html } from '../../html.ts';
import { formatDate, formatLength } from '../format.ts';
import type { EpisodeView } from './view.ts';

/** Date, duration, number and type on one line; the number only if it was set explicitly. */
export function renderFacts({ show, episode, words }: EpisodeView): Html {
  const { publishedAt, audio, season, givenNumber, episodeType, explicit } = episode;
  const facts: (Html | false)[] = [
    html`<time datetime="${publishedAt.toISOString()}">${formatDate(publishedAt, show.language)}</time>`,
    audio?.durationMs != null && html`${formatLength(audio.durationMs, show.language)}`,
    season !== null && words.html('season', { number: season }),
    episodeType !== 'full' && words.html(episodeType),
    episodeType === 'full' &&
      givenNumber !== null &&
      words.html('episode', { number: givenNumber }),
    explicit && html`<span class="badge">${words.html('explicit')}</span>`,
  ];
  const shown = facts.filter((fact) => fact !== false);
  return html`<p class="facts">${shown.map((fact) => html`<span>${fact}</span> `)}</p>`;
}
