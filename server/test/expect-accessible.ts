import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Rules = Readonly<Record<string, { readonly enabled: boolean }>>;

/** The rules whose results differ between light and dark. */
const ofColors = ['color-contrast', 'link-in-text-block'];

/**
 * Expects that axe finds nothing on the page, light and dark, and that the page fits its window. Its
 * context must bypass the policy of the page. `rules` adds to those that axe checks by itself.
 */
export async function expectAccessible(page: Page, rules: Rules = {}): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.evaluate(axe);
  await expectNothingFound(page, 'light', { rules });
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await expectNothingFound(page, 'dark', { runOnly: ofColors });
}

async function expectNothingFound(page: Page, scheme: string, options: object): Promise<void> {
  // Passed checks are not reported: for a long page, the report takes longer than the checks.
  const given = JSON.stringify({ ...options, resultTypes: ['violations'] });
  const { violations } = await page.evaluate<{
    violations: { id: string; nodes: { html: string }[] }[];
  }>(`axe.run(${given})`);
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
  expect(told, `${page.url()} ${scheme}`).toEqual([]);
  const surplus = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(surplus), `${page.url()} is wider than its window`).toBe(0);
}
