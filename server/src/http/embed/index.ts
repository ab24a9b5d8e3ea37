import type { Route } from '../route.ts';
import { episodePlayerRoute, latestPlayerRoute, playerCodeRoute } from './embed-routes.ts';
import { scriptRoutes } from './script-routes.ts';

export { keepPlayer } from './player-script.ts';
export { episodePlayerRoute, latestPlayerRoute, scriptRoutes };

/** The player: its script, and its pages for frames of other sites. */
export const embedRoutes: readonly Route[] = [
  episodePlayerRoute,
  latestPlayerRoute,
  playerCodeRoute,
  ...scriptRoutes,
];
