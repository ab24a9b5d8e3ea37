import { feedUrl, imageUrl, listenUrl, previewUrl } from '../../domain/foundation/addresses.ts';
import type { PageEpisode, PublicPodcast } from '../../domain/public/catalogue/index.ts';
import { playerColor } from '../pages/color.ts';
import {
  type EpisodePage,
  renderHero,
  renderShowBar,
  renderTexts,
} from '../pages/listen/episode-page.ts';
import { listenScripts, listenStyle, renderFooter } from '../pages/listen/head.ts';
import { createView, type EpisodeView, type Hosts } from '../pages/listen/view.ts';
import { createPage, type Page } from '../pages/page.ts';
import { playerParts, renderPlayer as renderElement } from '../pages/player-element.ts';
import { type Html, html } from '../responses/html.ts';

interface Preview extends EpisodePage {
  readonly token: string;
  readonly show: PublicPodcast;
  readonly episode: PageEpisode;
  readonly hasWaveform: boolean;
}

/** The page's address contains the token, so links must not send it as the referrer. */
const headers = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' };

/**
 * The listen page of an episode that may not be public. What belongs to it has addresses below
 * that of the preview, and the player gets the rest with the page, because the API has only public
 * episodes. Sharing and following are left out.
 */
export async function renderPreviewPage(hosts: Hosts, preview: Preview): Promise<Page> {
  const { token, show, episode } = preview;
  const view: EpisodeView<PageEpisode> = { ...createView(hosts, show), episode };
  const below = previewUrl(hosts, token);
  const pictured: EpisodeView<PageEpisode> = { ...view, hosts: { ...hosts, baseUrl: below } };
  const playable = episode.audio?.fileName != null;
  const texts = await renderTexts(pictured, preview, { playable, hasFiles: false });
  const page = createPage({
    language: show.language,
    title: `${episode.title} – ${show.title}`,
    head: html`<meta name="robots" content="noindex">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">`,
    body: html`<a class="skip" href="#main">${view.words.html('skip')}</a>
${renderShowBar({ ...view, episode: { ...episode, artwork: null } })}
<main id="main" tabindex="-1">
<div class="band"><p class="column meta" role="note">${view.words.html('preview')}</p></div>
${renderHero(pictured)}
<div class="column">
${playable ? renderPlayer(pictured, preview, below) : html`<p class="meta">${view.words.html('noAudio')}</p>`}
${texts}</div>
</main>
${renderFooter(view)}`,
    style: listenStyle(show),
    ...listenScripts(hosts),
    filesFrom: hosts.baseUrl,
    ...playerParts(hosts),
  });
  return { ...page, headers: { ...page.headers, ...headers } };
}

/** The player of a listen page. Without its script it shows the browser's own player. */
function renderPlayer(view: EpisodeView, preview: Preview, below: string): Html {
  const { show, episode, words } = view;
  const audio = `${below}/audio`;
  const label = words.text('playTitle', { title: episode.title });
  const given = { podcast: describeShow(view), episode: describeEpisode(view, preview, below) };
  const plain = html`<audio controls preload="none" src="${audio}" aria-label="${label}"></audio>`;
  const looks = { layout: 'compact', theme: show.pageTheme } as const;
  return html`<div class="player">${renderElement(show, { ...looks, given, plain })}</div>`;
}

/** What the player reads of `GET /v1/podcasts/{id}`. */
function describeShow({ hosts, show }: EpisodeView) {
  const listen = listenUrl(hosts, show);
  return {
    id: show.id,
    slug: show.slug,
    title: show.title,
    author: show.author,
    language: show.language,
    artwork: { url: show.artwork && imageUrl(hosts, show.artwork, pictureBoxPx) },
    color: playerColor(show),
    player_theme: show.playerTheme,
    player_waveform: show.playerWaveform,
    timezone: show.timezone,
    links: { listen, feed: feedUrl(hosts, show) },
    branding: { show_powered_by: show.showPoweredBy },
  };
}

/** What it reads of `GET /v1/episodes/{id}`. Without links it shares nothing. */
function describeEpisode({ hosts, show, episode }: EpisodeView, preview: Preview, below: string) {
  const { chapters, transcript, hasWaveform } = preview;
  const { durationMs = null } = episode.audio ?? {};
  const isTimed = transcript?.hasTimes === true;
  return {
    id: episode.id,
    slug: episode.slug,
    title: episode.title,
    season_number: episode.season ?? 1,
    episode_number: episode.episodeNumber,
    published_at: episode.publishedAt.toISOString(),
    audio: {
      url: `${below}/audio`,
      duration_seconds: durationMs === null ? null : Math.round(durationMs / 1000),
      waveform_url: show.playerWaveform && hasWaveform ? `${below}/waveform.json` : null,
    },
    links: { listen: '', embed: '' },
    artwork: { url: episode.artwork && imageUrl(hosts, episode.artwork, pictureBoxPx) },
    transcript: transcript && {
      url: `${below}/transcript.${isTimed ? 'vtt' : 'html'}`,
      content_type: isTimed ? 'text/vtt' : 'text/html',
      language: transcript.language,
    },
    chapters_url: chapters.length > 0 ? `${below}/chapters.json` : null,
  };
}

/** A preview has its pictures in these sizes alone. */
const pictureBoxPx = 320;
