import { askToSignIn, signedInAgain } from './sign-in-state.ts';

const key = 'podstead:user';
/** As this window knows it: what it shows and saves is theirs. */
let own: string | undefined;

/** The server has said who is signed in. All windows of the browser have the same session. */
export function noteUser(userId: string): void {
  own = userId;
  try {
    localStorage.setItem(key, userId);
  } catch {
    // The browser keeps nothing, so there is nothing of others either.
  }
}

export function forgetUser(): void {
  localStorage.removeItem(key);
}

/** Who was signed in when a window last asked. */
export const lastUser = (): string | null => localStorage.getItem(key);

/**
 * Somebody signs out in another window, or somebody else signs in: nothing may be saved here in their
 * name. Once the person is back, the window goes on.
 */
export function watchUser(): void {
  window.addEventListener('storage', (event) => {
    if (event.key !== key) return;
    if (event.newValue === null) askToSignIn();
    else if (event.newValue === own) signedInAgain();
    else if (own !== undefined) askToSignIn();
  });
}
