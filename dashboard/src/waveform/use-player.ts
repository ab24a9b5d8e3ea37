import { useEffect, useState, useSyncExternalStore } from 'react';
import { Player, type PlayerState } from './player.ts';

/** A player as long as the component is shown; undefined without audio, and for the first moment. */
export function usePlayer(audioUrl: string | null, duration: number): Player | undefined {
  const [player, setPlayer] = useState<Player>();
  useEffect(() => {
    if (audioUrl === null) return undefined;
    const opened = new Player(audioUrl, duration);
    setPlayer(opened);
    return () => {
      opened.close();
      setPlayer(undefined);
    };
  }, [audioUrl, duration]);
  return player;
}

/** What `select` returns is compared by identity: the component renders when it changes. */
export function usePlayerState<T>(player: Player, select: (state: PlayerState) => T): T {
  return useSyncExternalStore(player.subscribe, () => select(player.state));
}
