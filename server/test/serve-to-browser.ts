import type { Browser } from 'playwright-core';
import { openTestBrowser } from '../../player/test/browser.ts';
import { createTestApp, type TestApp } from './create-test-app.ts';
import { freePort, isFree } from './free-port.ts';

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
  const { port } = opened.use(await takePort());
  const service = `http://127.0.0.1:${port}`;
  const app = opened.use(await createTestApp({ BASE_URL: service, ...settings }));
  await app.http.server.listen({ port, host: '127.0.0.1' });
  const resources = opened.move();
  return { browser, app, service, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

let usualPort: number | undefined;
let isUsualPortTaken = false;

/**
 * The files of a process use the same origin one after the other: a browser that knows the app's scripts
 * does not read and compile them again.
 */
async function takePort(): Promise<{ readonly port: number } & Disposable> {
  if (isUsualPortTaken) return { port: await freePort(), [Symbol.dispose]: () => undefined };
  isUsualPortTaken = true;
  if (usualPort === undefined || !(await isFree(usualPort))) usualPort = await freePort();
  return {
    port: usualPort,
    [Symbol.dispose]: () => {
      isUsualPortTaken = false;
    },
  };
}
