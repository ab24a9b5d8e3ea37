import type { Page } from 'playwright-core';
import { makeEpisode, makePodcast, makeUser } from '../../server/test/make.ts';
import type { OpenDashboard } from './open-dashboard.ts';

/** A show with a draft and a published episode, and the addresses of some screens. */
export async function makePlaces({ app, service }: OpenDashboard) {
  const owner = await makeUser(app.ctx);
  const podcast = await makePodcast(app.ctx, { owner });
  const episode = await makeEpisode(app.ctx, podcast, { title: 'First light', status: 'draft' });
  const stored = () =>
    app.ctx.db
      .selectFrom('episodes')
      .select('title')
      .where('id', '=', episode.id)
      .executeTakeFirstOrThrow();
  const show = `${service}/app/shows/${podcast.id}`;
  const { id: publicId } = await makeEpisode(app.ctx, podcast, { title: 'Last light' });
  return {
    owner,
    show,
    address: `${show}/episodes/${episode.id}`,
    published: `${show}/episodes/${publicId}`,
    account: `${service}/app/settings`,
    episodeId: episode.id,
    stored,
  };
}
export type Places = Awaited<ReturnType<typeof makePlaces>>;

export const titleField = (page: Page) => page.getByLabel('Title', { exact: true });

/** An expression of the page: the URL of the service worker, once it has kept the app. */
export const isKept = 'navigator.serviceWorker.ready.then(({ active }) => active.scriptURL)';

/** A window without a connection, in whose browser the app is kept. */
export async function openOffline(dashboard: OpenDashboard) {
  const { owner, show } = await makePlaces(dashboard);
  const page = await dashboard.signIn(owner.email, { serviceWorkers: 'allow' });
  await page.goto(`${dashboard.service}/app`);
  await page.evaluate(isKept);
  await page.goto(`${show}/team`);
  await page.context().setOffline(true);
  return { page, show };
}
