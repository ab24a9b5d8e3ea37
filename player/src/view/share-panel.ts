import { detectPlatform, listFollowLinks } from '../../../server/src/lib/follow-apps.ts';
import type { Podcast } from '../api/wire.ts';
import type { State } from '../state.ts';
import { formatClock } from '../text/time.ts';
import { h, set, setLabel, setText } from './dom.ts';
import type { Part, Ui } from './ui.ts';

const frameHeightPx = 180;
/** The page of the show has all of them. */
const mostApps = 8;

/** Link and embed code, from the beginning or the current position; and the show's feed. */
export function createSharePanel(ui: Ui): Part {
  const { texts } = ui;
  let state: State | undefined;
  let fromSeconds = 0;
  const address = createCopyRow(ui, 'address');
  const embed = createCopyRow(ui, 'embed');
  const when = h('span');
  const check = h('input', { type: 'checkbox', onchange: () => draw() });
  const customize = createLink(texts.say('customize'));
  const subscribe = h('ul', { class: 'apps', 'aria-label': texts.say('subscribe') });

  function draw(): void {
    const { episode } = state ?? {};
    const place = check.checked && fromSeconds ? `#t=${fromSeconds}` : '';
    setText(when, texts.say('startAt', { a: formatClock(fromSeconds) }));
    address.show(episode ? episode.links.listen + place : '');
    set(customize, 'href', `${episode?.links.embed}/code?${place.slice(1)}`);
    embed.show(episode ? frameOf(episode.links.embed + place, episode.title) : '');
  }

  return {
    root: h(
      'div',
      { class: 'share-panel' },
      address.root,
      embed.root,
      h('label', { class: 'check' }, check, when),
      h('div', { class: 'apps' }, customize),
      h('p', { class: 'meta', 'aria-hidden': 'true' }, texts.say('subscribe')),
      subscribe,
    ),
    update(next, before) {
      state = next;
      if (next.podcast !== before.podcast && next.podcast) {
        subscribe.replaceChildren(...listApps(ui, next.podcast));
      }
      if (next.panel !== 'share') return;
      // The chosen position stays while the audio plays on.
      if (!check.checked || next.episode !== before.episode) fromSeconds = Math.floor(next.seconds);
      draw();
    },
  };
}

function listApps({ texts }: Ui, { guid, links }: Podcast): HTMLLIElement[] {
  const device = detectPlatform(navigator);
  const apps = listFollowLinks({ feed: links.feed, guid }).filter(
    ({ platforms }) => platforms.includes('web') || platforms.includes(device),
  );
  return [
    createAppLink(texts.say('feed'), links.feed),
    ...apps.slice(0, mostApps).map(({ name, url }) => createAppLink(name, url)),
  ];
}

function createLink(name: string, href = ''): HTMLAnchorElement {
  return h('a', { href, target: '_blank', rel: 'noopener' }, name);
}

function createAppLink(name: string, href: string): HTMLLIElement {
  return h('li', {}, createLink(name, href));
}

function createCopyRow(
  { texts }: Ui,
  label: 'address' | 'embed',
): { root: HTMLElement; show(text: string): void } {
  const field = h('input', { readonly: true, 'aria-label': texts.say(label), dir: 'ltr' });
  field.addEventListener('focus', () => field.select());
  const button = h('button', { part: 'button' });
  const name = (state: 'copy' | 'copied') => {
    setText(button, texts.say(state));
    setLabel(button, `${texts.say(state)}: ${texts.say(label)}`);
  };
  const said = h('span', { role: 'status', class: 'unseen' });
  button.addEventListener('click', async () => {
    field.focus();
    if (!(await copy(field.value))) return;
    name('copied');
    setText(said, texts.say('copied'));
    button.focus();
  });
  const caption = h('span', { 'aria-hidden': 'true' }, texts.say(label));
  name('copy');
  return {
    root: h('div', { class: 'copy' }, caption, field, button, said),
    show(text) {
      if (field.value === text) return;
      field.value = text;
      name('copy');
      setText(said, '');
    },
  };
}

/** The field is selected, so the old copy command works where a frame may not use the clipboard. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return document.execCommand('copy');
  }
}

function frameOf(src: string, title: string): string {
  const quote = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<iframe src="${quote(src)}" title="${quote(title)}" width="100%" height="${frameHeightPx}" loading="lazy" allow="autoplay; clipboard-write" style="border:0"></iframe>`;
}
