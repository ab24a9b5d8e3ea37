import { createPayload } from '../responses/payload.ts';
import { defineRoute, type Route, type RouteResponse } from '../route.ts';
import { readAsset, readAssetBytes } from './assets.ts';

/** A response that never changes while the process runs. */
function staticRoute(path: string, contentType: string, body: string | Buffer): Route {
  const response: Promise<RouteResponse> = createPayload(contentType, body).then((payload) => ({
    kind: 'payload',
    payload,
  }));
  return defineRoute({ method: 'GET', path, access: 'public', handle: () => response });
}

export const iconRoutes: readonly Route[] = [
  staticRoute('/favicon.svg', 'image/svg+xml', readAsset('favicon.svg')),
  // Browsers and feed readers request it on their own.
  staticRoute('/favicon.ico', 'image/png', readAssetBytes('favicon.png')),
];
