import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { User } from '../../../src/domain/foundation/accounts/index.ts';
import type { Capability } from '../../../src/domain/foundation/permissions/index.ts';
import { attachTone } from '../../../src/domain/publishing/audio/index.ts';
import { setListings } from '../../../src/domain/publishing/distribution/index.ts';
import { attachImage, setPodcastArtwork } from '../../../src/domain/publishing/images/index.ts';
import {
  addMember,
  type Podcast,
  updatePodcast,
} from '../../../src/domain/publishing/podcasts/index.ts';
import { newId } from '../../../src/lib/uuid.ts';
import { type Browser, openMember, openSignedIn } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { pictureBytes } from '../../hosts/podcast-host.ts';
import { makeEpisode, makePodcast, makeUser } from '../../make.ts';

let app: TestApp;
let owner: User;
let show: Podcast;
let browser: Browser;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());
beforeEach(async () => {
  owner = await makeUser(app.ctx);
  show = await makePodcast(app.ctx, { owner, title: 'Night Signals' });
  browser = await openSignedIn(app, owner);
});

const get = (as = browser) => as.get(`/app/api/podcasts/${show.id}/first-steps`);
interface Step {
  step: string;
  is_done: boolean;
  episode_id: string | null;
}
const steps = async () => (await get()).json().data.steps as Step[];
const done = async () => (await steps()).filter(({ is_done }) => is_done).map(({ step }) => step);
const episodeOf = async (name: string) =>
  (await steps()).find(({ step }) => step === name)?.episode_id;

async function setCover(side: number): Promise<void> {
  const bytes = await pictureBytes('#445566', side);
  const { id } = await attachImage(app.ctx, { podcastId: show.id, bytes });
  await setPodcastArtwork(app.ctx, show.id, id);
}

it('first steps are done one by one, until none is left', async () => {
  expect((await steps()).map(({ step }) => step)).toEqual([
    'cover',
    'texts',
    'audio',
    'published',
    'directories',
  ]);
  expect(await done()).toEqual([]);

  await setCover(800);
  expect(await done()).toEqual([]);
  await setCover(1400);
  expect(await done()).toEqual(['cover']);

  await updatePodcast(app.ctx, show.id, { description: 'What the antenna hears at night.' });
  expect(await done()).toEqual(['cover']);
  await updatePodcast(app.ctx, show.id, { category: 'Science' });
  expect(await done()).toEqual(['cover', 'texts']);

  const draft = await makeEpisode(app.ctx, show, { status: 'draft' });
  expect(await episodeOf('audio')).toBe(draft.id);
  expect(await episodeOf('published')).toBeNull();
  await attachTone(app.ctx, draft.id, 1);
  expect(await done()).toEqual(['cover', 'texts', 'audio']);
  expect(await episodeOf('audio')).toBeNull();
  expect(await episodeOf('published')).toBe(draft.id);

  const published = await makeEpisode(app.ctx, show);
  expect(await done()).not.toContain('published');
  await attachTone(app.ctx, published.id, 1);
  expect(await done()).toEqual(['cover', 'texts', 'audio', 'published']);
  expect(await episodeOf('published')).toBeNull();

  await setListings(app.ctx, show.id, [{ directory: 'spotify', status: 'submitted', url: null }]);
  expect(await steps()).toEqual([]);
});

it('first steps are only for new shows', async () => {
  const dayMs = 86_400_000;
  const ago = (days: number) => new Date(app.ctx.clock.now().getTime() - days * dayMs);
  await makeEpisode(app.ctx, show, { publishedAt: ago(29) });
  expect(await steps()).toHaveLength(5);
  await makeEpisode(app.ctx, show, { publishedAt: ago(31) });
  expect(await steps()).toEqual([]);

  show = await makePodcast(app.ctx, { owner, hostingType: 'external' });
  expect(await steps()).toEqual([]);
});

it('first steps are not for a show from an import', async () => {
  await app.database.pool.query(
    `insert into imports (id, owner_id, podcast_id, documents, copy_audio, creates_podcast,
      state, progress, created_at, updated_at)
    values ($1, $2, $3, '[]', true, true, 'finished', '{}', $4, $4)`,
    [newId(), owner.id, show.id, app.ctx.clock.now()],
  );
  expect(await steps()).toEqual([]);
});

it('first steps are shown to members who edit the show', async () => {
  expect((await get(await openMember(app, show, 'admin'))).statusCode).toBe(200);
  expect((await get(await openMember(app, show, 'editor'))).statusCode).toBe(403);
  const stranger = await openSignedIn(app, await makeUser(app.ctx));
  expect((await get(stranger)).statusCode).toBe(404);
});

it('first steps mention drafts, so members who do not see every episode have none', async () => {
  await makeEpisode(app.ctx, show, { status: 'draft' });
  const openRole = async (capabilities: readonly Capability[]) => {
    const user = await makeUser(app.ctx);
    const role = { role: 'custom', roleName: 'Designer', capabilities } as const;
    await addMember(app.ctx, { podcastId: show.id, userId: user.id, ...role });
    return openSignedIn(app, user);
  };
  expect((await get(await openRole(['show.settings']))).statusCode).toBe(403);
  const seesAll = await get(await openRole(['show.settings', 'episodes.view_all']));
  expect(seesAll.json().data.steps).toHaveLength(5);

  show = await makePodcast(app.ctx, { owner, hostingType: 'external' });
  expect((await get(await openRole(['show.settings']))).statusCode).toBe(403);
});
