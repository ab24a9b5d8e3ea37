import type { Route } from '../route.ts';
import { episodePlayerRoute, latestPlayerRoute } from './routes.ts';

/** The pages that stand in the frames of other sites. */
export const embedRoutes: readonly Route[] = [episodePlayerRoute, latestPlayerRoute];
