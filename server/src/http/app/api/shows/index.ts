import type { Route } from '../../../route.ts';
import { artworkRoute } from './artwork.ts';
import { distributionRoutes } from './distribution.ts';
import { exportRoute } from './export.ts';
import { firstStepsRoute } from './first-steps.ts';
import { peopleRoutes } from './people.ts';
import { settingsRoutes } from './settings.ts';
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
