import { Trans, useLingui } from '@lingui/react/macro';
import { useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Button } from '../components/button.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { useTitle } from '../lib/use-title.ts';
import { NotFound } from './not-found.tsx';

/** Shown at addresses without a screen. */
export function UnknownAddress() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return isServerPage(path) ? <ServerPage /> : <NotFound />;
}

/** Pages of the server, which the app has no screens for. The router may leave out `/app`. */
const serverPages =
  /^(?:\/app)?\/(?:sign-in|sign-up|forgot|reset|email|email-sent|invitation|ownership|done)(?:\/|$)/;

/** Whether the server, and not the app, has the page of this path. */
const isServerPage = (path: string): boolean => serverPages.test(path);

/** In the place of a page of the server, which the service worker could not load. */
function ServerPage() {
  const { t } = useLingui();
  useTitle(t`No connection`);
  useEffect(() => {
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, []);
  return (
    <EmptyState
      isPage
      title={t`Can’t reach the server`}
      action={
        <Button kind="primary" onPress={reload}>
          <Trans>Try again</Trans>
        </Button>
      }
    >
      <Trans>This page needs a connection. It will open as soon as you’re back online.</Trans>
    </EmptyState>
  );
}

const reload = () => window.location.reload();
