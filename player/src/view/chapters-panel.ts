import { findCurrent } from '../api/chapters.ts';
import { formatClock } from '../text/time.ts';
import { h, set } from './dom.ts';
import { createIcon } from './icons.ts';
import type { Part, Ui } from './ui.ts';

/** A chapter's time, image and title form a button; its link is beside it. */
export function createChaptersPanel({ texts, controls }: Ui): Part {
  const list = h('ol', { class: 'rows' });
  let shown = -1;
  return {
    root: list,
    update({ chapters, seconds }, before) {
      if (chapters !== before.chapters) {
        list.replaceChildren(
          ...chapters.map(({ startSeconds, title, imageUrl, linkUrl }) => {
            const button = h(
              'button',
              { onclick: () => controls.seek(startSeconds) },
              h('span', { class: 'time' }, formatClock(startSeconds)),
              h('span', { class: 'name', dir: 'auto' }, title),
              ...(imageUrl ? [createPicture(imageUrl)] : []),
            );
            const item = h('li', {}, button);
            const link = createLink(linkUrl, `${texts.say('address')}: ${title}`);
            if (link.hasAttribute('href')) item.append(link);
            return item;
          }),
        );
      }
      const current = findCurrent(chapters, seconds);
      if (current === shown && chapters === before.chapters) return;
      shown = current;
      [...list.children].forEach((item, i) => {
        set(item.firstElementChild as Element, 'aria-current', i === current && 'true');
      });
    },
  };
}

/** Removes itself if it fails to load. */
function createPicture(src: string): HTMLImageElement {
  const onerror = () => picture.remove();
  const picture = h('img', { src, alt: '', loading: 'lazy', onerror });
  return picture;
}

function createLink(href: string | undefined, label: string): HTMLAnchorElement {
  const link = h('a', { href, target: '_blank', rel: 'noopener nofollow', 'aria-label': label });
  link.append(createIcon('link'));
  return link;
}
