import { h, set, setText } from './dom.ts';
import type { Part, Ui } from './ui.ts';

/** An error message with a retry button; screen readers announce it. */
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
