import { appRoutes } from './app/index.ts';
import { domainRoutes } from './domains/domain-routes.ts';
import { embedRoutes } from './embed/index.ts';
import { fileRoutes } from './files/index.ts';
import { createHealthRoutes, type ReadinessChecks } from './monitoring/health-routes.ts';
import { createPageRoutes } from './pages/index.ts';
import { previewRoutes } from './preview/preview-routes.ts';
import type { Route } from './route.ts';
import { keyedRoutes } from './v1/keyed/index.ts';
import { publicRoutes } from './v1/public/index.ts';
import { createOpenApiRoute } from './v1/public/openapi-route.ts';
import { siteRoutes } from './v1/sites/index.ts';

const endpoints: readonly Route[] = [...publicRoutes, ...keyedRoutes, ...siteRoutes];

/** Every endpoint of the described API. */
export const apiRoutes: readonly Route[] = [...endpoints, createOpenApiRoute(endpoints)];

/** All routes. */
export function createRoutes(readiness: ReadinessChecks): Route[] {
  return [
    ...apiRoutes,
    ...fileRoutes,
    ...embedRoutes,
    ...appRoutes,
    ...previewRoutes,
    ...domainRoutes,
    ...createPageRoutes(apiRoutes),
    ...createHealthRoutes(readiness),
  ];
}
