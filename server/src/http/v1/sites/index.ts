import type { Route } from '../../route.ts';
import { changesRoute } from './changes.ts';
import { disconnectRoute } from './disconnect.ts';
import { exchangeRoute } from './exchange.ts';
import { healthRoute } from './health.ts';
import { registerRoute } from './register.ts';
import { reportPostRoute, reportPostsRoute } from './report-post.ts';
import { verifyRoute } from './verify.ts';

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
