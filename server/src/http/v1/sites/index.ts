import type { Route } from '../../route.ts';
import { exchangeRoute, registerRoute } from './connect-by-code.ts';
import { changesRoute } from './site-changes.ts';
import {
  disconnectRoute,
  healthRoute,
  reportPostRoute,
  reportPostsRoute,
  verifyRoute,
} from './site-reports.ts';

/** The routes that the plugins of connected sites call. */
export const siteRoutes: readonly Route[] = [
  exchangeRoute,
  registerRoute,
  verifyRoute,
  changesRoute,
  healthRoute,
  reportPostRoute,
  reportPostsRoute,
  disconnectRoute,
];
