import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible } from '../../server/test/expect-accessible.ts';
import { makePodcast, makeUser } from '../../server/test/make.ts';
import { type OpenDashboard, openDashboard, watchFailures } from './open-dashboard.ts';

let dashboard: OpenDashboard;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard[Symbol.asyncDispose]());

/** The field, on the screen of a show in Berlin. */
async function openField(label = 'Time zone', options: BrowserContextOptions = {}) {
  const { app, service } = dashboard;
  const owner = await makeUser(app.ctx);
  const show = await makePodcast(app.ctx, { owner, timezone: 'Europe/Berlin' });
  const page = await dashboard.signIn(owner.email, options);
  const failures = watchFailures(page);
  await page.goto(`${service}/app/shows/${show.id}/show/texts`);
  const field = page.getByRole('combobox', { name: label });
  await field.waitFor();
  const saved = async () => {
    const response = await page.request.get(`${service}/app/api/podcasts/${show.id}`);
    return (await response.json()).data.timezone;
  };
  const shown = () => page.getByRole('listbox').getByRole('option').allTextContents();
  return { page, failures, field, saved, shown };
}

it('finds a time zone by city, former name, country and offset, and saves it', async () => {
  const { page, failures, field, saved, shown } = await openField();
  await expect.poll(() => field.inputValue()).toMatch(/^Europe\/Berlin · UTC\+[12]$/);
  expect((await field.boundingBox())?.width).toBeGreaterThan(400);
  // What is typed replaces the chosen one.
  await field.click();
  await page.keyboard.type('new york');
  await expect.poll(shown).toEqual([expect.stringMatching(/^America\/New York.*United States$/)]);
  await field.fill('utc+5:30');
  await expect
    .poll(shown)
    .toEqual([
      expect.stringMatching(/^Asia\/Colombo · UTC\+5:30Sri Lanka$/),
      expect.stringMatching(/^Asia\/Kolkata · UTC\+5:30India$/),
    ]);
  await field.fill('nepal');
  await expect.poll(shown).toEqual([expect.stringContaining('Asia/Kathmandu')]);
  await field.fill('calcutta');
  await expect.poll(shown).toEqual([expect.stringContaining('Asia/Kolkata')]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('Asia/Kolkata · UTC+5:30');
  expect(await page.getByRole('listbox').count()).toBe(0);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(saved).toBe('Asia/Kolkata');
  expect(failures).toEqual([]);
  await page.context().close();
});

it('keeps the time zone where nothing is found or chosen', async () => {
  const { page, failures, field, saved } = await openField();
  const berlin = await field.inputValue();
  for (const leave of ['Escape', 'Tab', 'Enter']) {
    await field.fill('atlantis');
    const nothing = page.getByText('No time zone found. Try a large city');
    await nothing.waitFor();
    await page.keyboard.press(leave);
    await nothing.waitFor({ state: 'hidden' });
    await expect.poll(() => field.inputValue()).toBe(berlin);
    await field.fill('');
    await page.getByRole('option', { name: 'Africa/Abidjan' }).waitFor();
    await page.keyboard.press(leave);
    await expect.poll(() => field.inputValue()).toBe(berlin);
    await page.getByRole('listbox').waitFor({ state: 'hidden' });
  }
  await page.getByRole('button', { name: /Time zone/ }).click();
  await page.getByRole('option', { name: 'Africa/Abidjan' }).waitFor();
  await page.keyboard.press('Escape');
  // By the keyboard, the list begins at the chosen one, and the screen does not move.
  await page.keyboard.press('ArrowDown');
  const selected = page.getByRole('listbox').getByRole('option', { selected: true });
  await selected.waitFor();
  expect(await selected.textContent()).toBe(`${berlin}Germany`);
  await page.keyboard.press('ArrowDown');
  await expect
    .poll(() =>
      page.getByRole('option', { name: 'Europe/Bratislava' }).getAttribute('data-focused'),
    )
    .toBe('true');
  await page.keyboard.press('Escape');
  expect(await page.getByText('unsaved change').count()).toBe(0);
  expect(await saved()).toBe('Europe/Berlin');
  expect(failures).toEqual([]);
  await page.context().close();
});

it('the time zone field announces how many zones are found, and which one has the focus', async () => {
  const { page, field, shown } = await openField('Time zone', { bypassCSP: true });
  await field.click();
  await page.keyboard.type('germany');
  await expect.poll(async () => (await shown()).length).toBe(2);
  expect(await field.getAttribute('aria-expanded')).toBe('true');
  await expect
    .poll(() => page.locator('[data-live-announcer]').textContent())
    .toContain('2 options available');
  await page.keyboard.press('ArrowDown');
  const focused = page.locator(`[id="${await field.getAttribute('aria-activedescendant')}"]`);
  expect(await focused.textContent()).toContain('Europe/Berlin');
  expect(await page.getByRole('option', { name: 'Europe/Berlin · UTC' }).ariaSnapshot()).toContain(
    'Germany',
  );
  // While the list is open, React Aria hides all else from screen readers.
  await page.keyboard.press('Escape');
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
  await expectAccessible(page);
  await page.context().close();
});

it.each([
  ['Zeitzone', 'de', 'Indien'],
  ['المنطقة الزمنية', 'ar', 'الهند'],
  ['タイムゾーン', 'ja', 'インド'],
])('fits a phone as "%s", and knows countries in %s', async (label, locale, country) => {
  const { page, failures, field, shown } = await openField(label, {
    locale,
    viewport: { width: 360, height: 640 },
    hasTouch: true,
  });
  await field.tap();
  await page.keyboard.type(country);
  await expect
    .poll(shown)
    .toContainEqual(expect.stringMatching(new RegExp(`Asia/Kolkata.*${country}`)));
  const list = (await page.getByRole('listbox').boundingBox()) ?? { x: -1, width: 0 };
  expect(list.x).toBeGreaterThanOrEqual(0);
  expect(list.x + list.width).toBeLessThanOrEqual(360);
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await page.getByRole('option', { name: 'Asia/Kolkata' }).tap();
  await expect.poll(() => field.inputValue()).toContain('Asia/Kolkata');
  expect(failures).toEqual([]);
  await page.context().close();
});

it('opens at the first press where the field is half below the window', async () => {
  const { page, failures, field } = await openField();
  const button = page.getByRole('button', { name: /Time zone/ });
  await button.evaluate((element) => {
    const { top, height } = element.getBoundingClientRect();
    scrollBy(0, top + height / 2 - innerHeight);
  });
  const { x, y } = (await button.boundingBox()) ?? { x: 0, y: 0 };
  // The focus moves the field into the window.
  await page.mouse.click(x + 20, y + 5);
  await page.getByRole('option', { name: 'Africa/Abidjan' }).waitFor();
  expect((await field.boundingBox())?.y).toBeLessThan(y - 10);
  await page.keyboard.press('Escape');
  await page.getByRole('listbox').waitFor({ state: 'hidden' });

  // A letter brings the field back into the window, and opens the list.
  await page.evaluate('scrollTo(0, 0)');
  await page.keyboard.type('nepal');
  await page.getByRole('option', { name: 'Asia/Kathmandu' }).waitFor();
  // What the person scrolls closes it.
  await page.mouse.move(300, 300);
  await page.mouse.wheel(0, -400);
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
  expect(failures).toEqual([]);
  await page.context().close();
});
