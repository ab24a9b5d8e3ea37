import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { openPage, openTestBrowser, type Setting, type TestBrowser } from './browser.ts';
import { Stage } from './stage.ts';

export type PlayerElement = HTMLElement & {
  currentTime: number;
  playbackRate: number;
  volume: number;
  readonly duration: number;
  readonly paused: boolean;
  play(): Promise<void>;
  pause(): void;
  seek(seconds: number): void;
};

/** One browser; for each test a service of its own. Console errors fail the test. */
export class Scene {
  browser!: Browser;
  stage!: Stage;
  page!: Page;
  readonly complaints: string[] = [];

  /** Opens a page of another site with one player, and waits for its data or its error. */
  async open(attributes?: string, setting?: Setting): Promise<Locator> {
    const which = attributes ?? `episode="${this.stage.newest.id}"`;
    await this.openBody(`<podstead-player ${which}></podstead-player>`, setting);
    await this.ready();
    return this.player;
  }

  /** Waits for the data; before, keys and the timeline do nothing. */
  async ready(): Promise<void> {
    await this.player.locator('.card:not([aria-busy])').waitFor({ state: 'attached' });
  }

  async openBody(body: string, setting?: Setting): Promise<Locator> {
    this.page = await openPage(this.browser, this.stage, body, setting);
    this.page.on('pageerror', (error) => this.complaints.push(String(error)));
    return this.player;
  }

  get player(): Locator {
    return this.page.locator('podstead-player').first();
  }

  button(name: string): Locator {
    return this.player.getByRole('button', { name, exact: true });
  }

  get slider(): Locator {
    return this.player.locator('input.slider');
  }

  read(name: 'currentTime' | 'playbackRate' | 'volume' | 'duration'): Promise<number> {
    return this.player.evaluate((element, key) => (element as PlayerElement)[key], name);
  }

  isPaused(): Promise<boolean> {
    return this.player.evaluate((element) => (element as PlayerElement).paused);
  }

  /** Presses play and waits for audio. */
  async startPlaying(): Promise<void> {
    await this.ready();
    const before = await this.read('currentTime');
    await this.button('Play').click();
    await this.waitForPosition(before + 0.05);
  }

  /** Plays the last seconds. */
  async playToEnd(): Promise<void> {
    const ended = this.player.evaluate(
      (element) => new Promise((resolve) => element.addEventListener('ended', resolve)),
    );
    await this.button('Play').click();
    await ended;
    await this.button('Play').waitFor();
  }

  /** Lets the page do what it would do in the next moments; for what must not happen. */
  async passFrames(count = 20): Promise<void> {
    await this.page.evaluate(async (frames) => {
      for (let n = 0; n < frames; n += 1) await new Promise(requestAnimationFrame);
    }, count);
  }

  /** Waits until playback has reached this position. */
  async waitForPosition(seconds: number): Promise<void> {
    await expect.poll(() => this.read('currentTime')).toBeGreaterThanOrEqual(seconds);
  }

  media(): { path: string; referrer: string | undefined; range: string | undefined }[] {
    return this.stage.requests.filter(({ path }) => path.startsWith('/media/'));
  }
}

export function usePlayer(): Scene {
  const scene = new Scene();
  let opened: TestBrowser;
  beforeAll(async () => {
    opened = await openTestBrowser();
    scene.browser = opened.browser;
  });
  afterAll(() => opened[Symbol.asyncDispose]());
  beforeEach(async () => {
    scene.stage = await Stage.open();
    scene.complaints.length = 0;
  });
  afterEach(async () => {
    await scene.page?.context().close();
    await scene.stage[Symbol.asyncDispose]();
    expect(scene.complaints).toEqual([]);
  });
  return scene;
}
