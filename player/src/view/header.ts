import { smallCopy } from '../api/small-copy.ts';
import type { State } from '../state.ts';
import { h, set, setText } from './dom.ts';
import type { Part, Ui } from './ui.ts';

const artworkPx = 320;

/** Artwork, show and title; title and show link to their pages. */
export function createHeader({ texts }: Ui): Part & { readonly art: HTMLElement } {
  const link = (className: string) =>
    h('a', { class: className, target: '_blank', rel: 'noopener', dir: 'auto', part: className });
  const show = link('show');
  const title = link('title');
  const season = h('span', { class: 'season' });
  const brand = h('a', { class: 'brand', target: '_blank', rel: 'noopener' }, 'Podstead');
  const picture = createPicture();
  return {
    art: picture.root,
    root: h(
      'div',
      { class: 'head' },
      h('p', { class: 'meta' }, show, season, brand),
      h('p', {}, title),
    ),
    update(state) {
      const { podcast, episode, list } = state;
      for (const words of [show, title]) set(words, 'lang', podcast?.language);
      setText(show, podcast?.title ?? episode?.podcast?.title ?? '');
      set(show, 'href', podcast?.links.listen);
      setText(title, episode?.title ?? '');
      set(title, 'href', episode?.links.listen || null);
      set(title, 'title', episode?.title);
      const n = episode?.season_number ?? 1;
      setText(season, list && n > 1 ? texts.say('season', { n }) : '');
      brand.hidden = !podcast?.branding.show_powered_by;
      set(brand, 'href', podcast ? new URL('/', podcast.links.listen).href : null);
      picture.update(state);
    },
  };
}

function createPicture(): { root: HTMLElement; update(state: State): void } {
  const initial = h('span', { class: 'initial', 'aria-hidden': 'true' });
  const image = h('img', { alt: '', loading: 'lazy', decoding: 'async' });
  let original = '';
  // Hidden by opacity, not by size: a lazy image without a box is never fetched.
  image.addEventListener('load', () => set(image, 'class', 'loaded'));
  image.addEventListener('error', () => {
    // Small originals have no small copy.
    if (image.src !== original) image.src = original;
  });
  return {
    root: h('div', { class: 'art', part: 'artwork' }, initial, image),
    update({ episode, podcast }) {
      setText(initial, [...(podcast?.title ?? '')][0] ?? '');
      const url = episode?.artwork.url ?? podcast?.artwork.url ?? '';
      if (url === original) return;
      original = url;
      set(image, 'class', null);
      if (url) image.src = smallCopy(url, artworkPx);
      else image.removeAttribute('src');
    },
  };
}
