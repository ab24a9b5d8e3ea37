import { mediaMarkers, mediaUrl } from '../../../domain/foundation/addresses.ts';
import type { BriefEpisode } from '../../../domain/public/catalogue/index.ts';
import { type Html, html } from '../../responses/html.ts';
import { dayOfMonth, formatDate, formatExactDate, formatLength, formatNumber } from '../format.ts';
import { renderPlayer } from '../player-element.ts';
import type { EpisodeView, Hosts } from './view.ts';

/** The day in the show's zone. A script names the zone to readers for whom it is another day. */
export function renderPublished({
  show,
  episode: { publishedAt },
}: EpisodeView<BriefEpisode>): Html {
  const { language, timezone } = show;
  const exact = formatExactDate(publishedAt, language, timezone);
  const day = dayOfMonth(publishedAt, timezone);
  return html`<time datetime="${publishedAt.toISOString()}" title="${exact}" data-day="${day}">${formatDate(publishedAt, language, timezone)}</time>`;
}

/** A number to name an episode by, or the name that its makers gave it in place of one. */
type EpisodeNumber = { readonly number: string } | { readonly name: string };

/** Undefined for trailers and bonus episodes, and for numbers that nobody gave. */
export function findNumber(
  { episodeDisplay, episodeType, givenNumber }: BriefEpisode,
  language: string,
): EpisodeNumber | undefined {
  if (episodeType !== 'full') return undefined;
  const display = episodeDisplay?.trim() ?? '';
  // A `204.5` is a number, `Special 2` a name.
  if (display !== '') return /^\p{N}/u.test(display) ? { number: display } : { name: display };
  return givenNumber === null ? undefined : { number: formatNumber(givenNumber, language) };
}

/** Date, duration, number and type on one line; the number only if it was set explicitly. */
export function renderFacts(view: EpisodeView<BriefEpisode>): Html {
  const { show, episode, words } = view;
  const { audio, season, episodeType, explicit } = episode;
  const number = findNumber(episode, show.language);
  const facts: (Html | false)[] = [
    renderPublished(view),
    audio?.durationMs != null && html`${formatLength(audio.durationMs, show.language)}`,
    season !== null && words.html('season', { number: season }),
    episodeType !== 'full' && words.html(episodeType),
    number !== undefined &&
      ('name' in number ? html`<bdi>${number.name}</bdi>` : words.html('episode', number)),
    explicit && html`<span class="badge">${words.html('explicit')}</span>`,
  ];
  const shown = facts.filter((fact) => fact !== false);
  return html`<p class="facts">${shown.map((fact) => html`<span>${fact}</span> `)}</p>`;
}

/** The audio URL for this page; undefined if there is none. */
export function listenAudioUrl(
  hosts: Hosts,
  episode: Pick<BriefEpisode, 'id' | 'audio'>,
): string | undefined {
  const fileName = episode.audio?.fileName ?? undefined;
  if (fileName === undefined) return undefined;
  return mediaUrl(hosts, { episodeId: episode.id, fileName }, mediaMarkers.listenPage);
}

/**
 * The player of a listen page, which shows image, chapters and notes itself. Nothing is preloaded,
 * so viewing the page is not a download.
 */
export function renderAudio({ show, episode, words }: EpisodeView, src: string): Html {
  const label = words.text('playTitle', { title: episode.title });
  return renderPlayer(show, {
    episodeId: episode.id,
    layout: 'compact',
    theme: show.pageTheme,
    plain: html`<audio controls preload="none" src="${src}" aria-label="${label}"></audio>`,
  });
}
