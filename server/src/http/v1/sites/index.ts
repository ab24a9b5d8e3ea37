import type { Route } from '../../route.ts';
import { changesRoute } from './changes.ts';
import { exchangeRoute } from './exchange.ts';
import { verifyRoute } from './verify.ts';

/** What the plugins of connected sites call. */
export const siteRoutes: readonly Route[] = [exchangeRoute, verifyRoute, changesRoute];
