import type { Route } from '../../../route.ts';
import { distributionRoutes } from './distribution.ts';
import { exportRoute } from './export.ts';
import { peopleRoutes } from './people.ts';
import { artworkRoute, firstStepsRoute, settingsRoutes } from './settings.ts';
import { statusRoutes } from './status.ts';

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
