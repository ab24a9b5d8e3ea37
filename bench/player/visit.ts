import type { Browser, CDPSession, Page } from 'playwright-core';
import { observeTrouble, openSlowPhone } from '../slow-phone.ts';
import type { Candidate } from './candidates.ts';

/** Measurements of one visit of a page. */
export interface Visit {
  /** All bytes except pictures, which are the same for all, and audio. */
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** The time until the visible players can be used. */
  readonly readyMs: number;
  /** The time until they also show their titles. */
  readonly wholeMs: number;
  /** Total blocking time: the parts of long tasks above 50 ms, during the whole visit. */
  readonly blockedMs: number;
  readonly layoutShift: number;
}

const stepPx = 400;
const settleMs = 1_500;

export async function visit(browser: Browser, url: string, candidate: Candidate): Promise<Visit> {
  await using phone = await openSlowPhone(browser);
  const { page, cdp } = phone;
  const bytes = countBytes(cdp);
  await page.addInitScript({ content: observe(candidate) });
  await page.goto(url);
  await page.waitForFunction('wholeMs !== undefined', undefined, { polling: 100 });
  await scrollThrough(page);
  const figures = await page.evaluate<Omit<Visit, 'bytesBefore' | 'bytesAfter'>>(
    '({ readyMs, wholeMs, blockedMs, layoutShift })',
  );
  const bytesBefore = bytes();
  await page.evaluate('scrollTo(0, 0)');
  await page.locator(candidate.playButton).first().click();
  await page.waitForTimeout(settleMs);
  return { ...figures, bytesBefore, bytesAfter: bytes() };
}

/** Runs before all scripts of the page. */
function observe({ isReady, isWhole }: Candidate): string {
  return `${observeTrouble}
Object.assign(window, { readyMs: undefined, wholeMs: undefined });
addEventListener('DOMContentLoaded', function look() {
  if (window.readyMs === undefined && ${isReady}) window.readyMs = performance.now();
  if (window.readyMs !== undefined && ${isWhole}) window.wholeMs = performance.now();
  else requestAnimationFrame(look);
});`;
}

/** Scrolls to the end, slowly enough for parts that load when they are near. */
async function scrollThrough(page: Page): Promise<void> {
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  for (let y = 0; y <= height; y += stepPx) {
    await page.evaluate(`scrollTo(0, ${y})`);
    await page.waitForTimeout(150);
  }
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(settleMs);
}

function countBytes(cdp: CDPSession): () => number {
  const ignored = new Set<string>();
  const byRequest = new Map<string, number>();
  cdp.on('Network.requestWillBeSent', ({ requestId, type }) => {
    if (type === 'Image' || type === 'Media') ignored.add(requestId);
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    byRequest.set(requestId, encodedDataLength);
  });
  return () =>
    [...byRequest]
      .filter(([requestId]) => !ignored.has(requestId))
      .reduce((sum, [, bytes]) => sum + bytes, 0);
}
