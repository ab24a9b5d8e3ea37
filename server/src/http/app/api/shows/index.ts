import type { Route } from '../../../route.ts';
import { distributionRoutes } from './distribution-endpoints.ts';
import { domainEndpoints } from './domain-endpoints.ts';
import { exportRoute } from './export-endpoint.ts';
import { pagePreviewRoute } from './page-preview-endpoint.ts';
import { peopleRoutes } from './roster-endpoints.ts';
import {
  artworkRoute,
  firstStepsRoute,
  headerImageRoute,
  settingsRoutes,
  statusRoutes,
} from './show-settings-endpoints.ts';
import { webhookRoutes } from './webhooks-endpoints.ts';

/** Everything of a show that members edit. */
export const showRoutes: readonly Route[] = [
  ...settingsRoutes,
  ...statusRoutes,
  ...peopleRoutes,
  artworkRoute,
  headerImageRoute,
  pagePreviewRoute,
  exportRoute,
  ...distributionRoutes,
  ...domainEndpoints,
  firstStepsRoute,
  ...webhookRoutes,
];
