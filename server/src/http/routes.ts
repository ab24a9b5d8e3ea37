import { embedRoutes } from './embed/index.ts';
import { fileRoutes } from './files/index.ts';
import { createOperationsRoutes, type ReadinessChecks } from './operations.ts';
import { createPageRoutes } from './pages/index.ts';
import type { Route } from './route.ts';
import { publicRoutes } from './v1/public/index.ts';
import { createOpenApiRoute } from './v1/public/openapi.ts';

/** Every endpoint of the described API. */
export const apiRoutes: readonly Route[] = [...publicRoutes, createOpenApiRoute(publicRoutes)];

/** Every address there is. */
export function createRoutes(readiness: ReadinessChecks): Route[] {
  return [
    ...apiRoutes,
    ...fileRoutes,
    ...embedRoutes,
    ...createPageRoutes(apiRoutes),
    ...createOperationsRoutes(readiness),
  ];
}
