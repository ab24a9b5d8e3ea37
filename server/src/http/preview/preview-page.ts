import { previewUrl } from '../../domain/addresses.ts';
import type { PublicEpisode, PublicPodcast } from '../../domain/catalogue/index.ts';
import { html } from '../html.ts';
import {
  type EpisodePage,
  renderHero,
  renderShowBar,
  renderTexts,
} from '../pages/listen/episode-page.ts';
import { renderFooter } from '../pages/listen/footer.ts';
import { listenScript, listenStyle } from '../pages/listen/listen-assets.ts';
import { renderPeople } from '../pages/listen/people.ts';
import { createView, type EpisodeView, type Hosts } from '../pages/listen/view.ts';
import { createPage, type Page } from '../pages/page.ts';
import { renderPlayer } from '../pages/player-element.ts';

interface Preview extends EpisodePage {
  readonly token: string;
  readonly show: PublicPodcast;
  readonly episode: PublicEpisode;
}

/** The page's address contains the token, so links must not send it as the referrer. */
const headers = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' };

/**
 * The listen page of an episode that may not be public. Audio and pictures have addresses below
 * that of the preview. Sharing, following and the player's script are left out, because they need a
 * public episode.
 */
export async function renderPreviewPage(hosts: Hosts, preview: Preview): Promise<Page> {
  const { token, show, episode } = preview;
  const view: EpisodeView = { ...createView(hosts, show), episode };
  const below = previewUrl(hosts, token);
  const pictured: EpisodeView = { ...view, hosts: { ...hosts, baseUrl: below } };
  const playable = episode.audio?.fileName != null;
  const texts = await renderTexts(view, preview, { playable, hasFiles: false });
  const page = createPage({
    language: show.language,
    title: `${episode.title} – ${show.title}`,
    head: html`<meta name="robots" content="noindex">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">`,
    body: html`<a class="skip" href="#main">${view.words.html('skip')}</a>
${renderShowBar({ ...view, episode: { ...episode, artwork: null } })}
<main id="main" tabindex="-1">
<p class="column meta" role="note">${view.words.html('preview')}</p>
${renderHero(pictured)}
<div class="column">
${playable ? renderPlainPlayer(view, `${below}/audio`) : html`<p class="meta">${view.words.html('noAudio')}</p>`}
${texts}
${renderPeople(pictured, episode.people)}</div>
</main>
${renderFooter(view)}`,
    style: listenStyle(show),
    script: listenScript,
    filesFrom: hosts.baseUrl,
  });
  return { ...page, headers: { ...page.headers, ...headers } };
}

/** The player's element. Without its script it shows the browser's own player. */
function renderPlainPlayer({ show, episode, words }: EpisodeView, src: string) {
  const label = words.text('playTitle', { title: episode.title });
  const plain = html`<audio controls preload="none" src="${src}" aria-label="${label}"></audio>`;
  return html`<div class="player">${renderPlayer(show, { plain })}</div>`;
}
