import type { State } from '../state.ts';
import { type Controls, skipBackSeconds, skipForwardSeconds } from './ui.ts';

const arrowSeconds = 5;
const volumeStep = 0.1;
const rateStep = 0.25;

/**
 * Handles keys while the focus is in the player; never keys of the page. Fields keep their keys,
 * and buttons keep Space and Enter.
 */
export function onPlayerKey(event: KeyboardEvent, controls: Controls, state: State): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.composedPath()[0] as HTMLElement;
  const isTimeline = target.matches('.slider');
  if (event.key === 'Escape' && state.panel) controls.open(null);
  else if (target.matches('input, select') && !isTimeline) return;
  else if (event.key === ' ' && target.matches('button, a')) return;
  else if (/^\d$/.test(event.key)) controls.seek((state.durationSeconds * Number(event.key)) / 10);
  else {
    const action = actionOf(event.key, controls, state);
    if (!action) return;
    action();
  }
  event.preventDefault();
}

function actionOf(key: string, controls: Controls, state: State): (() => void) | undefined {
  const actions: Record<string, () => void> = {
    ' ': controls.toggle,
    k: controls.toggle,
    m: controls.toggleMute,
    j: () => controls.skip(-skipBackSeconds),
    l: () => controls.skip(skipForwardSeconds),
    ArrowLeft: () => controls.skip(-arrowSeconds),
    ArrowRight: () => controls.skip(arrowSeconds),
    ArrowUp: () => controls.setVolume(state.volume + volumeStep),
    ArrowDown: () => controls.setVolume(state.volume - volumeStep),
    '<': () => controls.setRate(state.rate - rateStep),
    '>': () => controls.setRate(state.rate + rateStep),
  };
  return actions[key] ?? actions[key.toLowerCase()];
}
