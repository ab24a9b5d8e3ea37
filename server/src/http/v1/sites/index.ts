import type { Route } from '../../route.ts';
import { changesRoute } from './changes.ts';
import { exchangeRoute, registerRoute } from './register.ts';
import {
  disconnectRoute,
  healthRoute,
  reportPostRoute,
  reportPostsRoute,
  verifyRoute,
} from './report-post.ts';

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
