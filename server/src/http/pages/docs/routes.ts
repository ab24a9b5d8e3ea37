import { describeApi } from '../../openapi.ts';
import { type Answer, defineRoute, type Route } from '../../route.ts';
import { drawOnce } from '../draw-once.ts';
import type { ApiDocument } from './api-document.ts';
import { renderChangelogPage } from './changelog-page.ts';
import { renderErrorsPage } from './errors-page.ts';
import { renderReferencePage } from './reference-page.ts';

/** The documentation of `apiRoutes`, drawn from what they say of themselves. */
export function createDocsRoutes(apiRoutes: readonly Route[]): Route[] {
  return [
    docsRoute(
      '/docs',
      drawOnce((baseUrl) =>
        renderReferencePage(describeApi(apiRoutes, baseUrl) as unknown as ApiDocument),
      ),
    ),
    docsRoute('/docs/errors', drawOnce(renderErrorsPage)),
    docsRoute('/docs/changelog', drawOnce(renderChangelogPage)),
  ];
}

function docsRoute(path: string, answer: (baseUrl: string) => Promise<Answer>): Route {
  return defineRoute({
    method: 'GET',
    path,
    access: 'public',
    handle: (web) => answer(web.ctx.installation.baseUrl),
  });
}
