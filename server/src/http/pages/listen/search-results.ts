import { listenUrl } from '../../../domain/foundation/addresses.ts';
import {
  type MarkedText,
  mostHits,
  type Quote,
  type Search,
  type SearchHit,
} from '../../../domain/public/search/index.ts';
import { type Html, html } from '../../responses/html.ts';
import { formatClock, formatNumber } from '../format.ts';
import { directionOf } from '../page-language.ts';
import { renderExcerpt, renderRow } from './episode-row.ts';
import { placeHere, withTranscript } from './places.ts';
import { renderTitle } from './title.ts';
import type { EpisodeView, View } from './view.ts';

/** What a search has found. */
export interface FoundEpisodes {
  readonly search: Search;
  readonly hits: readonly SearchHit[];
}

export function renderFound(view: View, { search, hits }: FoundEpisodes): Html {
  const { hosts, show, words } = view;
  const count = formatNumber(hits.length, show.language);
  const said =
    hits.length === 0
      ? words.html('noResults', { query: isolate(search.text) })
      : words.html(hits.length < mostHits ? 'results' : 'bestResults', { count });
  return html`<p class="meta found">${said}</p>
${
  hits.length > 0 &&
  html`<ol class="list">
${hits.map((hit) => renderHit({ ...view, episode: hit.episode }, hit))}</ol>
`
}<nav class="actions" aria-labelledby="episodes"><a class="button" href="${listenUrl(hosts, show)}">${words.html('allEpisodes')}</a></nav>`;
}

/** Keeps the order of the words around it, whatever its script is. */
const isolate = (text: string) => `\u2068${text}\u2069`;

function renderHit(view: EpisodeView, { title, quote }: SearchHit): Html {
  const { language } = view.show;
  const shown = renderMarked(title, (text) => renderTitle(text, language));
  return renderRow(view, shown, quote ? renderQuote(view, quote) : renderExcerpt(view.episode));
}

function renderQuote(view: EpisodeView, { text, isCut, spoken }: Quote): Html {
  const quoted = html`${isCut.before && '…'}${renderMarked(text, (piece) => html`${piece}`)}${isCut.after && '…'}`;
  if (spoken === undefined) return html`<p class="snippet" dir="auto">${quoted}</p>`;
  const { hosts, show, episode } = view;
  const { transcriptLanguage, transcriptHasTimes } = episode;
  const language = transcriptLanguage ?? show.language;
  const seconds = Math.floor(spoken.startMs / 1000);
  const place = listenUrl(hosts, show, episode.slug) + withTranscript + placeHere(seconds);
  return html`<p class="snippet" lang="${language}" dir="${directionOf(language)}">${
    transcriptHasTimes && html`<a class="time" href="${place}">${formatClock(spoken.startMs)}</a> `
  }${spoken.speaker !== '' && html`<b>${spoken.speaker}</b> `}${quoted}</p>`;
}

function renderMarked(text: MarkedText, write: (text: string) => Html): Html {
  return html`${text.map((piece) =>
    piece.isMatch ? html`<mark>${piece.text}</mark>` : write(piece.text),
  )}`;
}
