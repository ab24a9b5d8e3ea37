import { embedUrl, listenUrl, playerUrl } from '../../../domain/addresses.ts';
import { type Html, html } from '../../html.ts';
import { renderCopyField } from './copy-field.ts';
import type { EpisodeView } from './view.ts';

/** The page's address, and the player for other sites: as a frame, and as an element of theirs. */
export function renderShare({ hosts, show, episode, words }: EpisodeView): Html {
  const page = listenUrl(hosts, show.slug, episode.slug);
  const frame = html`<iframe src="${embedUrl(hosts, episode.id)}" title="${episode.title}" width="600" height="180" frameborder="0" loading="lazy"></iframe>`;
  const element = html`<podstead-player episode="${episode.id}" style="display:block;min-height:180px"></podstead-player><script async src="${playerUrl(hosts)}"></script>`;
  return html`<details class="panel"><summary class="button more">${words.html('share')}</summary><div class="sheet">
${renderCopyField(words, { id: 'page-address', label: words.html('pageAddress'), value: page })}
${renderCopyField(words, { id: 'player-code', label: words.html('playerCode'), value: frame.text })}
${renderCopyField(words, { id: 'player-element', label: words.html('playerElement'), value: element.text })}
</div></details>
`;
}
