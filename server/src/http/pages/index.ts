import type { Route } from '../route.ts';
import { cardRoute } from './cards/card-route.ts';
import { directoryRoutes } from './directory/directory-routes.ts';
import { createDocsRoutes } from './docs/docs-routes.ts';
import { homeRoute } from './home-page.ts';
import { commentsRoute } from './listen/comments-route.ts';
import { listenRoutes } from './listen/listen-routes.ts';
import { sitemapRoute } from './listen/sitemap-route.ts';
import { iconRoutes } from './static-routes.ts';

/** Web pages: home, listen pages with their cards, and the documentation of `apiRoutes`. */
export function createPageRoutes(apiRoutes: readonly Route[]): Route[] {
  return [
    homeRoute,
    ...directoryRoutes,
    ...listenRoutes,
    sitemapRoute,
    cardRoute,
    commentsRoute,
    ...createDocsRoutes(apiRoutes),
    ...iconRoutes,
  ];
}
