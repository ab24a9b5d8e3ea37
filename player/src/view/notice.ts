import { h, set, setText } from './dom.ts';
import type { Part, Ui } from './ui.ts';

/** What is wrong, in words, and a way on; read out when it appears. */
export function createNotice({ texts, controls }: Ui): Part {
  const words = h('span', { role: 'alert' });
  const retry = h(
    'button',
    { class: 'retry', part: 'button', onclick: () => controls.retry() },
    texts.say('retry'),
  );
  const root = h('div', { class: 'notice', part: 'notice' }, words, retry);
  return {
    root,
    update({ failure }) {
      set(root, 'hidden', !failure);
      setText(words, failure ? texts.say(failure) : '');
      retry.hidden = failure === 'noAudio' || failure === 'notFound';
    },
  };
}
