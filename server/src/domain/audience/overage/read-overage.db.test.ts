import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { setDownloadsOfDay } from '../../../../test/downloads.ts';
import { makePodcast, makeUser } from '../../../../test/make.ts';
import type { User } from '../../foundation/accounts/index.ts';
import { system } from '../../foundation/principal.ts';
import {
  type Podcast,
  readPodcastSettings,
  resumePodcast,
} from '../../publishing/podcasts/index.ts';
import { readOverage, watchOverage } from './index.ts';

let test: TestContext;
let owner: User;
let podcast: Podcast;

beforeAll(async () => {
  test = await createTestContext({ OVERAGE_SUSPEND: 'on' });
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  goTo('2026-03-02');
  owner = await makeUser(test.ctx, 'creator');
  podcast = await makePodcast(test.ctx, { owner });
});

const goTo = (day: string) => test.clock.set(new Date(`${day}T12:00:00Z`));
const read = (downloads: number, ctx = test.ctx) =>
  readOverage(ctx, { id: owner.accountId, plan: 'creator', downloads });
const watch = () => watchOverage(test.contextFor(system), new AbortController().signal);
const exceed = (day: string) => setDownloadsOfDay(test, podcast.id, day, 50_000);

it('says from 80 % on what would follow, and when at the earliest', async () => {
  expect(await read(39_999)).toBeUndefined();
  expect(await read(40_000)).toEqual({
    kind: 'downloads_near',
    ...{ downloads: 40_000, monthlyDownloads: 50_000, isSuspended: false },
    suspendsAt: new Date('2026-03-09T12:00:00Z'),
    renewsOn: '2026-04-01',
  });
  goTo('2026-03-25');
  expect(await read(40_000)).toMatchObject({ suspendsAt: null });
});

it('says when the suspension comes, that it is there, and that the operator ended it', async () => {
  await exceed('2026-03-02');
  await watch();
  goTo('2026-03-05');
  const suspendsAt = new Date('2026-03-09T12:00:00Z');
  expect(await read(50_000)).toMatchObject({ isSuspended: false, suspendsAt });
  goTo('2026-03-09');
  await watch();
  expect(await read(50_000)).toMatchObject({ isSuspended: true, suspendsAt });
  const settings = () => readPodcastSettings(test.ctx, podcast.id);
  expect((await settings()).suspendedFor).toBe('overage');
  await resumePodcast(test.ctx, podcast.id);
  expect(await read(50_000)).toMatchObject({ isSuspended: false, suspendsAt: null });
  expect((await settings()).suspendedFor).toBeNull();
});

it('no suspension is announced where the installation has switched it off', async () => {
  const installation = { ...test.ctx.installation, overageSuspend: false };
  expect(await read(50_000, { ...test.ctx, installation })).toMatchObject({ suspendsAt: null });
});
