import type { NewestEpisode, PublicPodcast } from '../../domain/public/catalogue/index.ts';
import { visibilityOf } from '../../domain/publishing/podcasts/index.ts';
import type { HttpFailure } from '../http-errors.ts';
import { html } from '../responses/html.ts';
import { readStyle } from './assets.ts';
import { showColor } from './color.ts';
import type { Hosts } from './listen/view.ts';
import { createPage, type Page } from './page.ts';
import { paletteStyle } from './palette.ts';
import {
  noIndex,
  renderMissingPage,
  renderPausedPage,
  renderReference,
  renderTeamAdvice,
  renderWithheldPage,
} from './state-page.ts';
import { type Word, wordsIn } from './words.ts';

const style = readStyle('base.css', 'error.css');

/** Title and advice. */
const wordsByCode: Partial<Record<HttpFailure['code'], readonly [title: Word, advice: Word]>> = {
  not_found: ['errorNotFound', 'errorNotFoundAdvice'],
  unavailable: ['errorUnavailable', 'errorUnavailableAdvice'],
  rate_limited: ['errorBusy', 'errorBusyAdvice'],
  service_unavailable: ['errorAway', 'errorAwayAdvice'],
  internal_error: ['errorInternal', 'errorInternalAdvice'],
};

/** Nothing says whether there ever was an episode, or whose. */
const missingPlayer: readonly [Word, Word] = ['nothingToPlay', 'nothingToPlayAdvice'];

export interface ErrorPage {
  readonly failure: HttpFailure;
  readonly requestId: string;
  /** Shown in a frame of another site: small and on its own. */
  readonly framed: boolean;
  /** Where shows have their pages. */
  readonly isOfShow?: boolean;
  /** The language if no show is known. */
  readonly language: string;
  /** The show concerned, if its existence is public. */
  readonly show?: PublicPodcast | undefined;
  /** The newest episode of a show with public pages, in the place of one that isn't there. */
  readonly newest?: NewestEpisode | undefined;
  readonly hosts: Hosts;
}

/** An error page for people, in the language and with the name of the show. */
export function renderErrorPage(page: ErrorPage): Page {
  const { failure, requestId, framed, isOfShow = false, show, hosts } = page;
  if (show !== undefined) {
    if (show.status === 'paused') return renderPausedPage(hosts, show, framed);
    if (failure.code === 'unavailable') return renderWithheldPage({ ...page, show });
    if (failure.code === 'not_found' && visibilityOf(show, 'page') === 'open')
      return renderMissingPage({ ...page, show });
  }
  const language = show?.language ?? page.language;
  const words = wordsIn(language);
  const isKnown = failure.code in wordsByCode;
  const isMissingPlayer = framed && failure.code === 'not_found';
  const [title, advice] = isMissingPlayer
    ? missingPlayer
    : (wordsByCode[failure.code] ?? ['errorOther', 'errorOtherAdvice']);
  // The message is in English only; it is omitted if the title says the same.
  const reason = (!isKnown || language === 'en') && !isMissingPlayer;
  return createPage({
    language,
    title: words.text(title),
    head: noIndex,
    bodyClass: framed ? 'framed' : 'whole',
    body: html`<main>
<p class="status">${failure.status}</p>
<h1>${words.html(title)}</h1>
<p>${reason && html`<span lang="en" dir="ltr">${failure.message}</span> `}${words.html(advice)}</p>
${!framed && html`<p><a href="${hosts.baseUrl}/">${words.html('home')}</a></p>\n`}${
  isOfShow && failure.code === 'not_found' && renderTeamAdvice(hosts, words)
}${renderReference(words, requestId)}</main>
`,
    style: paletteStyle(show ? showColor(show) : null, 'auto') + style,
    framable: framed,
  });
}
