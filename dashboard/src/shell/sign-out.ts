import { signOut } from '../api/me.ts';
import { forgetApp } from '../offline/keep-app.ts';

export async function signOutHere(): Promise<void> {
  await signOut();
  await forgetApp();
  window.location.assign('/app/sign-in');
}
