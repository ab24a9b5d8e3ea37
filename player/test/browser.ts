import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium } from './find-chromium.ts';
import type { Stage } from './stage.ts';

/** Sound goes nowhere, and plays as if somebody had pressed a key: only what is pressed is tested. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath)
    throw new Error('no Chromium: set CHROMIUM, or install the package chromium');
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args: [...sandbox, '--mute-audio'] });
}

export interface Setting {
  readonly lang?: string;
  readonly dir?: string;
  readonly headers?: Record<string, string>;
  readonly css?: string;
  readonly context?: BrowserContextOptions;
  readonly onConsole?: (text: string) => void;
}

/** A page of somebody else's with this in its body, and the player's script as its docs say. */
function pageWith(stage: Stage, body: string, setting: Setting = {}): string {
  const { lang = 'en', dir = 'ltr', headers, css } = setting;
  const style = css ? `<style>${css}</style>` : '';
  const html = `<!doctype html><html lang="${lang}" dir="${dir}"><head><meta charset="utf-8">
<title>A page of somebody else</title><meta name="viewport" content="width=device-width">
${style}<script src="${stage.service}/player/v1.js" async></script></head>
<body><main>${body}</main></body></html>`;
  return stage.page(html, headers);
}

/** Opens it in a context of its own, with an empty storage. Whatever the page complains of fails. */
export async function openPage(
  browser: Browser,
  stage: Stage,
  body: string,
  setting: Setting = {},
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 700, height: 720 },
    locale: 'en-GB',
    // Days are told as they are where the browser stands.
    timezoneId: 'UTC',
    ...setting.context,
  });
  const page = await context.newPage();
  page.on('console', (message) => setting.onConsole?.(message.text()));
  await page.goto(pageWith(stage, body, setting));
  return page;
}
