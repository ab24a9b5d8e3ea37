import { existsSync } from 'node:fs';

/** Debian's: the same engine as Chromium in half of the processor time, but no browser's own requests. */
const headlessShell = '/usr/lib/chromium/chromium-headless-shell';
const fullBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser for the tests: CHROMIUM, else the usual paths; undefined if there is none. */
export function findChromium(): string | undefined {
  return firstOf([process.env['CHROMIUM'], headlessShell, ...fullBrowsers]);
}

/** A full browser, if `findChromium` found the headless shell: some tests run in both. */
export function findSecondBrowser(): string | undefined {
  return findChromium() === headlessShell ? firstOf(fullBrowsers) : undefined;
}

/** Whether these tests run in it, after they have run in the first one. */
export const isSecondBrowser = process.env['TEST_SECOND_BROWSER'] === 'true';

function firstOf(paths: readonly (string | undefined)[]): string | undefined {
  return paths.find((path) => path && existsSync(path));
}
