import type { Player } from './player.ts';

const shortStep = 5;
const longStep = 10;

/** Carries out a key of the player: space and K, arrows, J and L, Home and End. False for all others. */
export function pressPlayerKey(player: Player, key: string): boolean {
  const act = actions[key.length === 1 ? key.toLowerCase() : key];
  act?.(player);
  return act !== undefined;
}

const actions: Readonly<Record<string, (player: Player) => void>> = {
  ' ': (player) => player.toggle(),
  k: (player) => player.toggle(),
  j: (player) => player.seekBy(-longStep),
  l: (player) => player.seekBy(longStep),
  ArrowLeft: (player) => player.seekBy(-shortStep),
  ArrowDown: (player) => player.seekBy(-shortStep),
  ArrowRight: (player) => player.seekBy(shortStep),
  ArrowUp: (player) => player.seekBy(shortStep),
  PageDown: (player) => player.seekBy(-6 * longStep),
  PageUp: (player) => player.seekBy(6 * longStep),
  Home: (player) => player.seek(0),
  End: (player) => player.seek(player.state.duration),
};
