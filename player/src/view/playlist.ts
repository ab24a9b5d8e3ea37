import type { Episode } from '../api/wire.ts';
import { formatClock, formatDay } from '../text/time.ts';
import { h, set, setText } from './dom.ts';
import type { Part, Ui } from './ui.ts';

/** The list of episodes. Its height depends only on the number of rows. */
export function createPlaylist(ui: Ui): Part {
  const { texts, controls } = ui;
  const list = h('ol', { class: 'rows' });
  const more = h(
    'button',
    { class: 'more-episodes', onclick: () => controls.loadMore() },
    texts.say('moreEpisodes'),
  );
  const failed = h('p', { class: 'meta', role: 'status' });
  const root = h(
    'div',
    { class: 'list', part: 'playlist', role: 'group', 'aria-label': texts.say('episodes') },
    list,
    failed,
    more,
  );

  return {
    root,
    update({ podcast, list: episodes, episode, hasMore, listFailure }, before) {
      const held = more.matches(':focus');
      more.hidden = !hasMore;
      setText(failed, listFailure ? texts.say(listFailure) : '');
      setText(more, texts.say(listFailure ? 'retry' : 'moreEpisodes'));
      if (episodes !== before.list && episodes) {
        const known = episodes[0] === before.list?.[0] ? list.children.length : 0;
        if (!known) list.replaceChildren();
        list.append(
          ...episodes.slice(known).map((row) => createRow(ui, row, podcast?.timezone ?? '')),
        );
        // The button disappears, so the focus moves to the first new row.
        if (more.hidden && held) {
          list.children[known]?.querySelector('button')?.focus();
        }
      }
      if (episodes === before.list && episode === before.episode) return;
      episodes?.forEach(({ id }, i) => {
        const row = list.children[i]?.firstElementChild;
        if (row) set(row, 'aria-current', id === episode?.id && 'true');
      });
    },
  };
}

function createRow({ texts, controls }: Ui, episode: Episode, zone: string): HTMLLIElement {
  const { title, published_at, audio } = episode;
  const seconds = audio.duration_seconds;
  return h(
    'li',
    {},
    h(
      'button',
      { onclick: () => controls.choose(episode) },
      h('span', { class: 'name', dir: 'auto' }, title),
      h('span', { class: 'date' }, formatDay(published_at, texts.locale, zone)),
      h('span', { class: 'time' }, seconds === null ? '' : formatClock(seconds)),
    ),
  );
}
