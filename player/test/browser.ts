import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium } from './find-chromium.ts';
import { openWindow } from './spare-windows.ts';
import type { Stage } from './stage.ts';

/** How long anything in a browser may take: several tests share the machine with it. */
const browserPatienceMs = 120_000;

/**
 * Muted, with autoplay allowed: the tests press the buttons themselves. `without`: arguments of Playwright's
 * that it doesn't get.
 */
export async function launchBrowser(
  args: readonly string[] = [],
  without: readonly string[] = [],
  executablePath = findChromium(),
): Promise<Browser> {
  if (!executablePath)
    throw new Error('no Chromium: set CHROMIUM, or install the package chromium');
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({
    executablePath,
    args: [...sandbox, '--mute-audio', ...args],
    ignoreDefaultArgs: [...without],
    timeout: browserPatienceMs,
  });
  browser.on('context', (context) => context.setDefaultTimeout(browserPatienceMs));
  return browser;
}

/** Disposing it closes its windows. */
export interface TestBrowser extends AsyncDisposable {
  readonly browser: Browser;
}

/** Without arguments of its own. It ends with the process. */
let shared: Browser | undefined;

/**
 * The same for a file of tests. Those of a process use one browser after the other, because starting one
 * takes as long as many tests; a browser with arguments is the file's own. Pages are open too briefly for
 * V8's optimizing compilers, which would take a tenth of all processor time.
 */
export async function openTestBrowser(args: readonly string[] = []): Promise<TestBrowser> {
  const launch = () => launchBrowser(['--js-flags=--no-opt,--no-maglev', ...args]);
  if (args.length > 0) {
    const browser = await launch();
    return { browser, [Symbol.asyncDispose]: () => browser.close() };
  }
  if (!shared?.isConnected()) shared = await launch();
  const browser = shared;
  return {
    browser,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
  };
}

export interface Setting {
  readonly lang?: string;
  readonly dir?: string;
  readonly headers?: Record<string, string>;
  readonly css?: string;
  readonly context?: BrowserContextOptions;
  readonly onConsole?: (text: string) => void;
}

/** A page of another site with this body, and the player's script as the docs show it. */
function pageWith(stage: Stage, body: string, setting: Setting = {}): string {
  const { lang = 'en', dir = 'ltr', headers, css } = setting;
  const style = css ? `<style>${css}</style>` : '';
  const html = `<!doctype html><html lang="${lang}" dir="${dir}"><head><meta charset="utf-8">
<title>A page of somebody else</title><meta name="viewport" content="width=device-width">
${style}<script src="${stage.service}/player/v1.js" async></script></head>
<body><main>${body}</main></body></html>`;
  return stage.page(html, headers);
}

/** Opens the page in a new browser context. Any console error fails the test. */
export async function openPage(
  browser: Browser,
  stage: Stage,
  body: string,
  setting: Setting = {},
): Promise<Page> {
  const address = pageWith(stage, body, setting);
  const visit = { origins: [stage.pages, stage.service], exit: stage.page('') };
  const page =
    setting.context === undefined
      ? await openWindow(browser, usual, visit)
      : await (await browser.newContext({ ...usual, ...setting.context })).newPage();
  page.on('console', (message) => setting.onConsole?.(message.text()));
  await page.goto(address);
  return page;
}

const usual: BrowserContextOptions = {
  viewport: { width: 700, height: 720 },
  locale: 'en-GB',
  // The tests expect dates in UTC.
  timezoneId: 'UTC',
};
