import { useRouterState } from '@tanstack/react-router';
import { NotFound } from './not-found.tsx';
import { isServerPage, ServerPage } from './server-page.tsx';

/** Shown at addresses without a screen. */
export function UnknownAddress() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return isServerPage(path) ? <ServerPage /> : <NotFound />;
}
