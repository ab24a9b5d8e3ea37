import { t } from '@lingui/core/macro';
import { showMessage } from '../components/toasts.ts';

/**
 * Says what a page outside of the app has done before it led here: `/app?done=joined`. Links of
 * other sites cannot make the app say it.
 */
export function showWhatWasDone(leave: (path: string) => void): void {
  const { pathname, search, hash } = location;
  const query = new URLSearchParams(search);
  const done = query.get('done');
  if (done === null) return;
  query.delete('done');
  const rest = query.toString();
  leave(pathname + (rest === '' ? '' : `?${rest}`) + hash);
  const text = textOf(done);
  const isFromHere = document.referrer.startsWith(`${location.origin}/app/`);
  if (text !== undefined && isFromHere) showMessage({ text });
}

function textOf(done: string): string | undefined {
  switch (done) {
    case 'signed-up':
      return t`Your account was created.`;
    case 'email':
      return t`Your email address was changed.`;
    case 'password':
      return t`Your password was changed. You’re signed out everywhere else, your API keys are revoked, and your sites are disconnected.`;
    case 'joined':
      return t`You have joined the team.`;
    case 'handed-over':
      return t`The show is now yours.`;
    default:
      return undefined;
  }
}
