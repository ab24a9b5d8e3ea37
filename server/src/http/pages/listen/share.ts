import { embedUrl, listenUrl, playerUrl } from '../../../domain/foundation/addresses.ts';
import { type Html, html } from '../../html.ts';
import { renderCopyField } from './copy-field.ts';
import { renderPanel } from './panel.ts';
import type { EpisodeView } from './view.ts';

/** The page's URL, and embed codes for other sites: a frame and a web component. */
export function renderShare({ hosts, show, episode, words }: EpisodeView): Html {
  const page = listenUrl(hosts, show.slug, episode.slug);
  const frame = html`<iframe src="${embedUrl(hosts, episode.id)}" title="${episode.title}" width="100%" height="180" frameborder="0" loading="lazy"></iframe>`;
  const element = html`<podstead-player episode="${episode.id}" style="display:block;min-height:180px"></podstead-player><script async src="${playerUrl(hosts)}"></script>`;
  return renderPanel(
    words.html('share'),
    html`${renderCopyField(words, { id: 'page-address', label: words.html('pageAddress'), value: page })}
${renderCopyField(words, { id: 'player-code', label: words.html('playerCode'), value: frame.text })}
${renderCopyField(words, { id: 'player-element', label: words.html('playerElement'), value: element.text })}`,
  );
}
