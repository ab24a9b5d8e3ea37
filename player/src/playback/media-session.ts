import { smallCopy } from '../api/small-copy.ts';
import type { State, Store } from '../state.ts';
import { type Controls, skipBackSeconds, skipForwardSeconds } from '../view/ui.ts';

/** What media keys do with a player. */
interface MediaKeys extends Pick<Controls, 'seek' | 'skip'> {
  readonly store: Store;
  play(): Promise<void>;
  pause(): void;
  /** To the next episode of the list, or with -1 to the one before. */
  step(by: 1 | -1): unknown;
}

/** The player that the media keys control. */
let shown: MediaKeys | undefined;

/** Shows what plays on lock screens, and handles media keys and headset buttons. */
export function showOnLockScreen(player: MediaKeys): void {
  const session = navigator.mediaSession;
  if (!session) return;
  shown = player;
  const { episode, podcast, list } = player.store.state;
  const artwork = episode?.artwork.url ?? podcast?.artwork.url;
  session.metadata = new MediaMetadata({
    title: episode?.title ?? '',
    artist: podcast?.author ?? '',
    album: podcast?.title ?? '',
    artwork: artwork ? [{ src: smallCopy(artwork, 640), sizes: '640x640' }] : [],
  });
  setHandlers({
    play: () => player.play().catch(() => {}),
    pause: () => player.pause(),
    seekbackward: ({ seekOffset }) => player.skip(-(seekOffset ?? skipBackSeconds)),
    seekforward: ({ seekOffset }) => player.skip(seekOffset ?? skipForwardSeconds),
    seekto: ({ seekTime }) => player.seek(seekTime ?? 0),
    previoustrack: list && (() => void player.step(-1)),
    nexttrack: list && (() => void player.step(1)),
  });
}

/** Media keys must not start a player that has left the page. */
export function leaveLockScreen(player: MediaKeys): void {
  if (player !== shown) return;
  shown = undefined;
  navigator.mediaSession.metadata = null;
  setHandlers({});
}

/** Those that are set; null for those that the player doesn't have now. */
let handlers: { [Action in MediaSessionAction]?: MediaSessionActionHandler | null } = {};

function setHandlers(next: typeof handlers): void {
  for (const action of Object.keys({ ...handlers, ...next }) as MediaSessionAction[]) {
    try {
      navigator.mediaSession.setActionHandler(action, next[action] ?? null);
    } catch {
      // Browsers support different sets of actions.
    }
  }
  handlers = next;
}

/** Updates the progress bar on the lock screen. */
export function showPositionOnLockScreen({ durationSeconds, seconds, rate }: State): void {
  if (!durationSeconds || !navigator.mediaSession?.setPositionState) return;
  const position = Math.min(seconds, durationSeconds);
  navigator.mediaSession.setPositionState({
    duration: durationSeconds,
    position,
    playbackRate: rate,
  });
}
