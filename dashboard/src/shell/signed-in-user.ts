import { askToSignIn, signedInAgain } from './sign-in-state.ts';

const key = 'podstead:user';
/** The person as this window knows them: its contents and saves are theirs. */
let own: string | undefined;

/**
 * Called when the server has said who is signed in. All windows of the browser share the session.
 */
export function noteUser(userId: string): void {
  own = userId;
  try {
    localStorage.setItem(key, userId);
  } catch {
    // Without storage, there are no copies of others either.
  }
}

export function forgetUser(): void {
  localStorage.removeItem(key);
}

/** The person who was signed in when a window last asked. */
export const lastUser = (): string | null => localStorage.getItem(key);

/**
 * Reacts when somebody signs out in another window, or another person signs in: nothing may be
 * saved here in their name. When the person is back, the window continues.
 */
export function watchUser(): void {
  window.addEventListener('storage', (event) => {
    if (event.key !== key) return;
    if (event.newValue === null) askToSignIn();
    else if (event.newValue === own) signedInAgain();
    else if (own !== undefined) askToSignIn();
  });
}
