import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Expects that axe finds nothing on the page, light and dark, and that the page fits its window. Its
 * context must bypass the policy of the page. `rules` adds to those that axe checks by itself.
 */
export async function expectAccessible(
  page: Page,
  rules: Readonly<Record<string, { readonly enabled: boolean }>> = {},
): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(axe);
    const found = await page.evaluate(`axe.run({ rules: ${JSON.stringify(rules)} })`);
    const { violations } = found as { violations: { id: string; nodes: { html: string }[] }[] };
    const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
    expect(told, `${page.url()} ${colorScheme}`).toEqual([]);
    const surplus = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(surplus), `${page.url()} is wider than its window`).toBe(0);
  }
}
