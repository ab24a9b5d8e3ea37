import { describeApi } from '../../openapi/describe-public-api.ts';
import type { Payload } from '../../responses/payload.ts';
import { defineRoute, type Route, type RouteResponse } from '../../route.ts';
import { createPagePayload, type Page } from '../page.ts';
import type { ApiDocument } from './api-document.ts';
import {
  renderChangelogPage,
  renderCountingPage,
  renderPlatformsPage,
  renderSitesPage,
  renderWebhooksPage,
} from './document-page.ts';
import { renderErrorsPage } from './errors-page.ts';
import { renderPlayerDocs } from './player-page.ts';
import { renderReferencePage } from './reference-page.ts';

/** A page that depends only on URLs of the installation; rendered once for each combination. */
function renderOnce(
  render: (...addresses: string[]) => Page | Promise<Page>,
): (...addresses: string[]) => Promise<RouteResponse> {
  const payloads = new Map<string, Promise<Payload>>();
  return async (...addresses) => {
    const key = addresses.join(' ');
    const create = async () => createPagePayload(await render(...addresses));
    const payload = payloads.get(key) ?? create();
    payloads.set(key, payload);
    return { kind: 'payload', payload: await payload };
  };
}

/** The documentation of `apiRoutes`, generated from their definitions. */
export function createDocsRoutes(apiRoutes: readonly Route[]): Route[] {
  return [
    docsRoute(
      '/docs',
      renderOnce((baseUrl) =>
        renderReferencePage(describeApi(apiRoutes, baseUrl) as unknown as ApiDocument),
      ),
      'baseUrl',
    ),
    docsRoute('/docs/player', renderOnce(renderPlayerDocs), 'embedUrl', 'baseUrl'),
    docsRoute('/docs/counting', renderOnce(renderCountingPage)),
    docsRoute('/docs/platforms', renderOnce(renderPlatformsPage)),
    docsRoute('/docs/sites', renderOnce(renderSitesPage)),
    docsRoute('/docs/webhooks', renderOnce(renderWebhooksPage)),
    docsRoute('/docs/errors', renderOnce(renderErrorsPage), 'baseUrl'),
    docsRoute('/docs/changelog', renderOnce(renderChangelogPage)),
  ];
}

/** A page that contains URLs of the installation. */
function docsRoute(
  path: string,
  respond: (...addresses: string[]) => Promise<RouteResponse>,
  ...addresses: ('baseUrl' | 'embedUrl')[]
): Route {
  return defineRoute({
    method: 'GET',
    path,
    access: 'public',
    handle: (http) => respond(...addresses.map((name) => http.ctx.installation[name])),
  });
}
