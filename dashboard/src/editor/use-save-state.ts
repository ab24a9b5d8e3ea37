import { useEffect, useSyncExternalStore } from 'react';
import { askToSignIn, needsSignIn, subscribeToSignIn } from '../shell/sign-in-state.ts';
import type { SaveEngine } from './save-engine.ts';
import type { SaveState } from './save-state.ts';

/**
 * If the session has ended, a dialog opens over the page. The person can type on, and the text is
 * saved after signing in.
 */
export function useSignIn(engine: SaveEngine | undefined): void {
  useEffect(() => {
    if (engine === undefined) return undefined;
    const unsubscribe = engine.subscribe(() => {
      if (engine.state.status === 'signed-out' && !needsSignIn()) askToSignIn();
    });
    const unsubscribeFromSignIn = subscribeToSignIn(() => {
      if (!needsSignIn()) void engine.resume();
    });
    return () => {
      unsubscribe();
      unsubscribeFromSignIn();
    };
  }, [engine]);
}

export function useSaveState(engine: SaveEngine): SaveState {
  return useSyncExternalStore(
    (listener) => engine.subscribe(listener),
    () => engine.state,
  );
}
