import type { Route } from '../route.ts';
import { episodePlayerRoute, latestPlayerRoute } from './routes.ts';
import { scriptRoutes } from './script-routes.ts';

export { keepPlayerScript } from './player-script.ts';

/** The player: its script, and the pages that stand in the frames of other sites. */
export const embedRoutes: readonly Route[] = [
  episodePlayerRoute,
  latestPlayerRoute,
  ...scriptRoutes,
];
