import type { Player } from '../player.ts';
import type { State } from '../state.ts';
import { skipBackSeconds, skipForwardSeconds } from '../view/ui.ts';

/** Names what sounds on lock screens, and lets their keys and those of headsets work on it. */
export function showOnLockScreen(player: Player): void {
  const session = navigator.mediaSession;
  if (!session) return;
  const { episode, podcast, list } = player.store.state;
  const artwork = episode?.artwork.url ?? podcast?.artwork.url;
  session.metadata = new MediaMetadata({
    title: episode?.title ?? '',
    artist: podcast?.title ?? '',
    artwork: artwork ? [{ src: artwork }] : [],
  });
  const handlers: [MediaSessionAction, MediaSessionActionHandler | null][] = [
    ['play', () => player.play().catch(() => {})],
    ['pause', () => player.pause()],
    ['seekbackward', ({ seekOffset }) => player.skip(-(seekOffset ?? skipBackSeconds))],
    ['seekforward', ({ seekOffset }) => player.skip(seekOffset ?? skipForwardSeconds)],
    ['seekto', ({ seekTime }) => player.seek(seekTime ?? 0)],
    ['previoustrack', list && (() => void player.step(-1))],
    ['nexttrack', list && (() => void player.step(1))],
  ];
  for (const [action, handler] of handlers) {
    try {
      session.setActionHandler(action, handler);
    } catch {
      // Not every browser knows every key.
    }
  }
}

/** What has left the page is not started from there. */
export function leaveLockScreen(): void {
  navigator.mediaSession?.setActionHandler('play', null);
}

/** How far it is, for the bar on the lock screen. */
export function showPositionOnLockScreen({ durationSeconds, seconds, rate }: State): void {
  if (!durationSeconds || !navigator.mediaSession?.setPositionState) return;
  const position = Math.min(seconds, durationSeconds);
  navigator.mediaSession.setPositionState({
    duration: durationSeconds,
    position,
    playbackRate: rate,
  });
}
