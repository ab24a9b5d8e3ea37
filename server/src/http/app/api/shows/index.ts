import type { Route } from '../../../route.ts';
import { distributionRoutes } from './distribution.ts';
import { exportRoute } from './export.ts';
import { peopleRoutes } from './roster.ts';
import { artworkRoute, firstStepsRoute, settingsRoutes, statusRoutes } from './settings.ts';

/** Everything of a show that members edit. */
export const showRoutes: readonly Route[] = [
  ...settingsRoutes,
  ...statusRoutes,
  ...peopleRoutes,
  artworkRoute,
  exportRoute,
  ...distributionRoutes,
  firstStepsRoute,
];
