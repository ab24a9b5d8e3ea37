import type { App } from './app.ts';
import { describeApi } from './http/openapi.ts';
import { apiRoutes } from './http/routes.ts';
import { exampleBaseUrl } from './http/v1/about.ts';
import { type RunningHttp, startHttp } from './start-http.ts';
import { startWorker } from './worker/start-worker.ts';

// What commands want of the surfaces, which know nothing of them.

export { startWorker };

/**
 * Serves the API, pages and files of an app, and does its background work unless that is switched
 * off. Disposing ends both at the same time, within 7 s.
 */
export async function startServer(app: App): Promise<RunningHttp> {
  await using opened = new AsyncDisposableStack();
  const http = opened.use(await startHttp(app));
  const worker = app.config.worker ? opened.use(await startWorker(app)) : undefined;
  opened.move();
  return {
    url: http.url,
    async [Symbol.asyncDispose]() {
      await Promise.all([http[Symbol.asyncDispose](), worker?.[Symbol.asyncDispose]()]);
    },
  };
}

/** The OpenAPI document as it is kept in the repository: of no installation in particular. */
export function writeApiDescription(): string {
  return `${JSON.stringify(describeApi(apiRoutes, exampleBaseUrl), null, 2)}\n`;
}
