import type { Route } from '../../../route.ts';
import {
  ageRoutes,
  breakdownRoute,
  downloadRoutes,
  episodesRoute,
  explainRoute,
} from './downloads.ts';

/** Downloads, for members whose role includes `analytics.view`. */
export const analyticsRoutes: readonly Route[] = [
  ...downloadRoutes,
  breakdownRoute,
  episodesRoute,
  explainRoute,
  ...ageRoutes,
];
