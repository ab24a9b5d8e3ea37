/** Whether the session has ended, so that the sign-in dialog is open. */
const listeners = new Set<() => void>();
let isSignedOut = false;

export function askToSignIn(): void {
  change(true);
}

export function signedInAgain(): void {
  change(false);
}

/** For useSyncExternalStore. */
export function subscribeToSignIn(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const needsSignIn = (): boolean => isSignedOut;

/** Resolves at once while there is a session, else after the person has signed in again. */
export function whenSignedIn(): Promise<void> {
  if (!isSignedOut) return Promise.resolve();
  return new Promise((resolve) => {
    const unsubscribe = subscribeToSignIn(() => {
      if (isSignedOut) return;
      unsubscribe();
      resolve();
    });
  });
}

function change(to: boolean): void {
  if (isSignedOut === to) return;
  isSignedOut = to;
  for (const listener of [...listeners]) listener();
}
