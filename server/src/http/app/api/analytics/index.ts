import type { Route } from '../../../route.ts';
import { ageRoutes } from './ages.ts';
import { breakdownRoute } from './breakdown.ts';
import { downloadRoutes } from './downloads.ts';
import { episodesRoute } from './episodes.ts';
import { explainRoute } from './explain.ts';

/** Downloads, for members whose role includes `analytics.view`. */
export const analyticsRoutes: readonly Route[] = [
  ...downloadRoutes,
  breakdownRoute,
  episodesRoute,
  explainRoute,
  ...ageRoutes,
];
