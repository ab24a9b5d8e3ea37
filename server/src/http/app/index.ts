import type { Route } from '../route.ts';
import { appApi } from './api/index.ts';
import { dashboardRoutes } from './dashboard/dashboard-routes.ts';
import { appPages } from './pages/index.ts';

export { keepAssets } from './dashboard/kept-assets.ts';

/** The private API, the dashboard that uses it, and the pages that work without a script. */
export const appRoutes: readonly Route[] = [...appApi, ...appPages, ...dashboardRoutes];
