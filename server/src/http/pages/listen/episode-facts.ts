import { type Html, html } from '../../html.ts';
import { formatDate, formatExactDate, formatLength, formatNumber } from '../format.ts';
import type { EpisodeView } from './view.ts';

/** The day in the show's zone. A script names the zone to readers for whom it is another day. */
export function renderPublished({ show, episode: { publishedAt } }: EpisodeView): Html {
  const { language, timezone } = show;
  const exact = formatExactDate(publishedAt, language, timezone);
  return html`<time datetime="${publishedAt.toISOString()}" title="${exact}" data-zone="${timezone}">${formatDate(publishedAt, language, timezone)}</time>`;
}

/** Date, duration, number and type on one line; the number only if it was set explicitly. */
export function renderFacts(view: EpisodeView): Html {
  const { show, episode, words } = view;
  const { audio, season, givenNumber, episodeType, explicit } = episode;
  const facts: (Html | false)[] = [
    renderPublished(view),
    audio?.durationMs != null && html`${formatLength(audio.durationMs, show.language)}`,
    season !== null && words.html('season', { number: season }),
    episodeType !== 'full' && words.html(episodeType),
    episodeType === 'full' &&
      givenNumber !== null &&
      words.html('episode', { number: formatNumber(givenNumber, show.language) }),
    explicit && html`<span class="badge">${words.html('explicit')}</span>`,
  ];
  const shown = facts.filter((fact) => fact !== false);
  return html`<p class="facts">${shown.map((fact) => html`<span>${fact}</span> `)}</p>`;
}
