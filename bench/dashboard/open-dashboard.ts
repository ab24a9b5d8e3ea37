import type { Browser, BrowserContext } from 'playwright-core';
import { launchBrowser } from '../../player/test/browser.ts';
import { choosePort } from '../../server/src/cli/demo/choose-port.ts';
import { attachTone } from '../../server/src/domain/publishing/audio/index.ts';
import { startHttp } from '../../server/src/start-http.ts';
import { fillShow } from '../installation/fill-show.ts';
import { openInstallation } from '../installation/open-installation.ts';
import { makeTempFolder } from '../temp-folder.ts';

export interface BenchDashboard extends AsyncDisposable {
  readonly url: string;
  readonly podcastId: string;
  readonly episodeId: string;
  readonly browser: Browser;
  /** A context that is signed in as the owner of the show. */
  readonly signedIn: () => Promise<BrowserContext>;
  /** Statements that the server has sent to its database. */
  readonly statements: () => number;
}

const password = 'correct horse battery staple';
const toneSeconds = 60;

/** An installation with one show of this many episodes, and a browser. */
export async function openDashboard(
  episodes: number,
  signal: AbortSignal,
): Promise<BenchDashboard> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await makeTempFolder());
  const port = await choosePort(0, '127.0.0.1');
  const url = `http://127.0.0.1:${port}`;
  const settings = { PORT: String(port), BASE_URL: url };
  const app = opened.use(await openInstallation({ dataDir: folder.path, settings }));
  const size = { slug: 'night-signals', episodes, notesChars: 4_000, distinctNotes: 60 };
  const { id: podcastId } = await fillShow(app, size, signal);
  const [first] = await app.ctx.db
    .selectFrom('episodes')
    .select('id')
    .where('podcast_id', '=', podcastId)
    .limit(1)
    .execute();
  if (first === undefined) throw new Error('the show has no episode');
  await attachTone(app.ctx, first.id, toneSeconds);
  opened.use(await startHttp(app));
  let statements = 0;
  app.database.pool.on('acquire', () => {
    statements += 1;
  });
  const browser = await launchBrowser();
  opened.defer(() => browser.close());
  const state = await signIn(browser, url, `${size.slug}@example.com`);
  const resources = opened.move();
  return {
    url,
    podcastId,
    episodeId: first.id,
    browser,
    signedIn: () =>
      browser.newContext({ storageState: state, viewport: { width: 1280, height: 900 } }),
    statements: () => statements,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function signIn(browser: Browser, url: string, email: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/app/sign-in?next=/app`);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${url}/app`);
  const state = await context.storageState();
  await context.close();
  return state;
}
