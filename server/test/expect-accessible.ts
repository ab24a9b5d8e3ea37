import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

type Rules = Readonly<Record<string, { readonly enabled: boolean }>>;

/** The rules whose results differ between light and dark. They take most of the time. */
const ofColors = ['color-contrast', 'link-in-text-block'];
const withoutColors = Object.fromEntries(ofColors.map((rule) => [rule, { enabled: false }]));

/**
 * Expects that axe finds nothing on the page, light and dark, and that the page fits its window. Its
 * context must bypass the policy of the page. `rules` adds to those that axe checks by default.
 */
export async function expectAccessible(page: Page, rules: Rules = {}): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.evaluate(axe);
  await page.evaluate(untilNothingMoves);
  await expectNothingFound(page, 'light', { rules });
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await expectNothingFound(page, 'dark', { runOnly: ofColors });
}

/**
 * The same in a window of the first size and then in one of the second. There, the rules about colors
 * examine only the parts that the first did not show, or showed in other colors.
 */
export async function expectAccessibleTwice(
  page: Page,
  sizes: readonly [Size, Size],
  rules: Rules = {},
): Promise<void> {
  await page.setViewportSize(sizes[0]);
  await expectAccessible(page, rules);
  await page.evaluate(rememberLooks);
  await page.setViewportSize(sizes[1]);
  await page.evaluate(untilNothingMoves);
  await expectNothingFound(page, 'dark', { rules: { ...rules, ...withoutColors } });
  if ((await page.evaluate<number>(listChangedParts)) === 0) return;
  await expectNothingFound(page, 'dark', { runOnly: ofColors }, 'changedParts');
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await expectNothingFound(page, 'light', { runOnly: ofColors }, 'changedParts');
}

export interface Look {
  readonly size: Size;
  readonly scheme: 'light' | 'dark';
  /** Whether the rules about colors run, too. */
  readonly withColors: boolean;
}

/** The same in one window and in one color scheme: for pages that exist in many languages. */
export async function expectAccessibleIn(
  page: Page,
  { size, scheme, withColors }: Look,
  rules: Rules = {},
): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await page.setViewportSize(size);
  await page.evaluate(axe);
  await page.evaluate(untilNothingMoves);
  await expectNothingFound(page, scheme, {
    rules: withColors ? rules : { ...rules, ...withoutColors },
  });
}

/**
 * In the page: resolves when nothing that can be clicked has moved for some frames. After a change of the
 * width, rows of a virtual list are measured and moved, and cover each other until then.
 */
const untilNothingMoves = `
  (async () => {
    const readPlaces = () =>
      [...document.querySelectorAll('a, button, input, select, textarea, [tabindex]')]
        .map((element) => Object.values(element.getBoundingClientRect().toJSON()).join())
        .join(' ');
    let places = readPlaces();
    for (let frames = 0; frames < 5; frames += 1) {
      await new Promise(requestAnimationFrame);
      const now = readPlaces();
      if (now !== places) frames = -1;
      places = now;
    }
  })()`;

interface Size {
  readonly width: number;
  readonly height: number;
}

/** In the page: what decides about the contrast of each element that is visible. */
const rememberLooks = `
  readLooks = () =>
    new Map(
      [...document.body.querySelectorAll('*')]
        .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
        .map((element) => {
          const { color, backgroundColor, backgroundImage, opacity, fontSize, fontWeight } =
            getComputedStyle(element);
          const size = parseFloat(fontSize);
          // Large text needs less contrast.
          const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
          return [element, [color, backgroundColor, backgroundImage, opacity, isLarge].join()];
        }),
    );
  firstLooks = readLooks();
  undefined`;

/** The outermost elements that look different now. */
const listChangedParts = `
  changed = new Set();
  for (const [element, look] of readLooks()) if (firstLooks.get(element) !== look) changed.add(element);
  changedParts = [...changed].filter(({ parentElement }) => !changed.has(parentElement));
  changedParts.length`;

/** `parts`: the name of a variable of the page; otherwise all of it is examined. */
async function expectNothingFound(
  page: Page,
  scheme: string,
  options: object,
  parts = 'document',
): Promise<void> {
  // Passed checks are not reported: for a long page, the report takes longer than the checks.
  const given = JSON.stringify({ ...options, resultTypes: ['violations'] });
  const { violations } = await page.evaluate<{
    violations: { id: string; nodes: { html: string }[] }[];
  }>(`axe.run(${parts}, ${given})`);
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
  const { width = 0 } = page.viewportSize() ?? {};
  expect(told, `${page.url()} ${scheme} ${width}`).toEqual([]);
  await expectFitting(page);
}

/** Expects that nothing scrolls sideways. */
export async function expectFitting(page: Page): Promise<void> {
  const surplus = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  expect(await page.evaluate(surplus), `${page.url()} is wider than its window`).toBe(0);
}
