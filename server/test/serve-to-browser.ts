import type { Browser } from 'playwright-core';
import { openTestBrowser } from '../../player/test/browser.ts';
import { createTestApp, type TestApp } from './create-test-app.ts';
import { freePort } from './free-port.ts';

export interface ServedApp extends AsyncDisposable {
  readonly browser: Browser;
  readonly app: TestApp;
  /** The origin that the browser loads; the BASE_URL of the installation. */
  readonly service: string;
}

/**
 * A browser with these arguments, and an installation that listens on a free port of this machine.
 */
export async function serveToBrowser(
  settings: Record<string, string> = {},
  browserArguments: readonly string[] = [],
): Promise<ServedApp> {
  await using opened = new AsyncDisposableStack();
  const { browser } = opened.use(await openTestBrowser(browserArguments));
  const port = await freePort();
  const service = `http://127.0.0.1:${port}`;
  const app = opened.use(await createTestApp({ BASE_URL: service, ...settings }));
  await app.http.server.listen({ port, host: '127.0.0.1' });
  const resources = opened.move();
  return { browser, app, service, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
