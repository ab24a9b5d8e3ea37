import type { Panel } from '../state.ts';
import { h, set, setLabel } from './dom.ts';
import { createIcon, type Icon, setIcon } from './icons.ts';
import { hasPanel, panels } from './panel.ts';
import { type Part, skipBackSeconds, skipForwardSeconds, type Ui } from './ui.ts';

const rates = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3];

export function createTransport(ui: Ui): Part {
  const { texts, controls } = ui;
  const play = createButton('play', () => controls.toggle(), {
    class: 'play',
    part: 'play-button',
  });
  const back = createSkip(ui, -skipBackSeconds);
  const forward = createSkip(ui, skipForwardSeconds);
  const speed = createSpeed(ui);
  const volume = createVolume(ui);
  const opens = createPanelButtons(ui);
  return {
    root: h(
      'div',
      { class: 'controls', part: 'controls' },
      play,
      h('div', { class: 'skips', dir: 'ltr' }, back, forward),
      speed.root,
      volume.root,
      h('span', { class: 'gap' }),
      opens.root,
    ),
    update(state, before) {
      const { playing, waiting, durationSeconds, episode, failure } = state;
      setIcon(play.firstElementChild as Element, playing ? 'pause' : 'play');
      setLabel(play, texts.say(playing ? 'pause' : 'play'));
      play.classList.toggle('waiting', waiting);
      // The listener may press play before the episode is loaded.
      play.disabled = episode ? !episode.audio.url : !!failure;
      for (const button of [back, forward]) button.disabled = !durationSeconds;
      for (const part of [speed, volume, opens]) part.update(state, before);
    },
  };
}

function createButton(
  icon: Icon,
  onclick: () => void,
  attributes: Record<string, string> = {},
): HTMLButtonElement {
  return h('button', { part: 'button', ...attributes, onclick }, createIcon(icon));
}

function createSkip({ texts, controls }: Ui, seconds: number): HTMLButtonElement {
  const icon = seconds < 0 ? 'back' : 'forward';
  const button = createButton(icon, () => controls.skip(seconds), { class: 'skip' });
  const n = Math.abs(seconds);
  button.append(h('span', { 'aria-hidden': 'true' }, String(n)));
  setLabel(button, texts.say(icon, { n }));
  return button;
}

function createSpeed({ texts, controls }: Ui): Part & { root: HTMLSelectElement } {
  // Without Intl, whose first use takes a phone a tenth of a second.
  const createOption = (rate: number) =>
    h('option', { value: rate }, `${rate}×`.replace('.', texts.say('decimal')));
  const select = h(
    'select',
    {
      class: 'speed',
      dir: 'ltr',
      part: 'button speed',
      onchange: () => controls.setRate(Number(select.value)),
    },
    ...rates.map(createOption),
  );
  setLabel(select, texts.say('speed'));
  return {
    root: select,
    update({ rate }) {
      if (select.value === String(rate)) return;
      // A script may set a rate that is not in our list.
      if (!select.querySelector(`[value="${rate}"]`)) select.append(createOption(rate));
      select.value = String(rate);
    },
  };
}

function createVolume({ texts, controls }: Ui): Part {
  const mute = createButton('loud', () => controls.toggleMute());
  const slider = h('input', {
    type: 'range',
    min: 0,
    max: 1,
    step: 0.05,
    'aria-label': texts.say('volume'),
    oninput: () => controls.setVolume(Number(slider.value)),
  });
  setLabel(mute, texts.say('mute'));
  return {
    root: h('div', { class: 'volume', dir: 'ltr' }, mute, slider),
    update({ volume, muted }) {
      const heard = muted ? 0 : volume;
      setIcon(mute.firstElementChild as Element, heard ? 'loud' : 'silent');
      set(mute, 'aria-pressed', String(!heard));
      slider.value = String(heard);
      set(slider, 'aria-valuetext', `${Math.round(heard * 100)}%`);
    },
  };
}

/** One button for each panel; in little space, one for all of them. */
function createPanelButtons({ texts, controls }: Ui): Part {
  const buttons = panels.map((panel) => {
    const button = createButton(panel, () => controls.open(panel), { class: panel });
    setLabel(button, texts.say(panel));
    return button;
  });
  let target: Panel = 'share';
  const more = createButton('more', () => controls.open(target), { class: 'more' });
  setLabel(more, texts.say('more'));
  const root = h('div', { class: 'panels' }, ...buttons, more);
  return {
    root,
    update({ episode, panel }) {
      target = panel ?? panels.find((kind) => hasPanel(episode, kind)) ?? 'share';
      panels.forEach((kind, i) => {
        const button = buttons[i] as HTMLButtonElement;
        button.disabled = !hasPanel(episode, kind);
        // The chapters button keeps its place until we know whether there are chapters.
        button.hidden = button.disabled && !!episode && episode.chapters_url !== undefined;
        set(button, 'aria-expanded', String(panel === kind));
      });
      more.disabled = !episode;
      root.hidden = !!episode && !panels.some((kind) => hasPanel(episode, kind));
      set(more, 'aria-expanded', String(panel !== null));
    },
  };
}
