import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '../../server/src/domain/foundation/accounts/index.ts';
import { makeDownloads } from '../../server/test/downloads.ts';
import { makeEpisode, makePodcast, makeUser } from '../../server/test/make.ts';
import { type OpenDashboard, openDashboard } from './open-dashboard.ts';

/** A show with 29 downloads. */
let dashboard: OpenDashboard;
let owner: User;
let address: string;

beforeAll(async () => {
  dashboard = await openDashboard();
  const { ctx } = dashboard.app;
  owner = await makeUser(ctx, 'enterprise');
  const podcast = await makePodcast(ctx, { owner });
  const episode = await makeEpisode(ctx, podcast);
  await makeDownloads(ctx, episode, 28);
  await makeDownloads(ctx, episode, 1, { userAgent: 'Overcast/3.0', country: 'FR' });
  address = `${dashboard.service}/app/shows/${podcast.id}/statistics`;
});
afterAll(() => dashboard[Symbol.asyncDispose]());

describe('the rankings of apps, countries and devices', () => {
  it('the rankings of apps, countries and devices have shares of the downloads themselves, not of rounded shares', async () => {
    const page = await dashboard.signIn(owner.email);
    await page.goto(address);
    const row = page.getByRole('row', { name: 'Overcast' });
    // The API rounds to 0.0345.
    await row.getByRole('cell', { name: '3.4%' }).waitFor();
    await page.context().close();
  });

  it('the rankings of apps, countries and devices name countries and devices in the reader’s language', async () => {
    const page = await dashboard.signIn(owner.email, { locale: 'de-DE' });
    await page.goto(address);
    await page.getByRole('rowheader', { name: 'Deutschland' }).waitFor();
    await page.getByRole('rowheader', { name: 'Android-Smartphone' }).waitFor();
    await page.context().close();
  });

  it('the rankings draw all bars from the same side, in Arabic from the right', async () => {
    const page = await dashboard.signIn(owner.email, { locale: 'ar-EG' });
    await page.goto(address);
    const ends = async (name: string) => {
      const label = page.getByRole('rowheader', { name });
      const boxes = [label, label.locator('[aria-hidden]')].map((part) => part.boundingBox());
      return (await Promise.all(boxes)).map((box) => (box?.x ?? 0) + (box?.width ?? 0));
    };
    for (const name of ['Overcast', 'فرنسا']) {
      const [cell = 0, bar = 0] = await ends(name);
      expect(cell - bar).toBeLessThan(20);
    }
    await page.context().close();
  });
});
