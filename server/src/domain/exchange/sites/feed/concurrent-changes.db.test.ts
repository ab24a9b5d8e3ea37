import { AsyncResource } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { findEmailToken } from '../../../../../test/find-emails.ts';
import { makeEpisode, makePodcast, makeUser, testPassword } from '../../../../../test/make.ts';
import { makeSite } from '../../../../../test/make-site.ts';
import { SiteReader } from '../../../../../test/site-reader.ts';
import { useOneDatabase } from '../../../../../test/use-one-database.ts';
import { PreparedClient } from '../../../../platform/database/connections/prepared-client.ts';
import type { User } from '../../../foundation/accounts/index.ts';
import { transact } from '../../../foundation/context.ts';
import { updateEpisode } from '../../../publishing/episodes/index.ts';
import { offerOwnership, type Podcast, updatePodcast } from '../../../publishing/podcasts/index.ts';
import { acceptOwnership } from '../../../service/shows/index.ts';

const databases = useOneDatabase();
let test: TestContext;
let ana: User;
let show: Podcast;
beforeEach(async () => {
  test = await createTestContext({}, { databases });
  ana = await makeUser(test.ctx);
  show = await makePodcast(test.ctx, { owner: ana, slug: 'the-show' });
});
afterEach(() => test[Symbol.asyncDispose]());

const connect = async () => new SiteReader(await makeSite(test.ctx, ana, [show]));
const titlesOf = (reader: SiteReader) =>
  [...reader.held.values()].map(({ episode }) => episode.title).sort();

/**
 * Runs `work` outside of the transaction, before the next statement that contains `part` is sent.
 */
function doBefore(part: string, work: () => Promise<unknown>): void {
  const send = PreparedClient.prototype.query;
  const workOutside = AsyncResource.bind(work);
  const spy = vi.spyOn(PreparedClient.prototype, 'query').mockImplementation(function (
    this: PreparedClient,
    ...given: unknown[]
  ): never {
    const query = () => send.apply(this, given as Parameters<typeof send>);
    if (typeof given[0] !== 'string' || !given[0].includes(part)) return query();
    spy.mockRestore();
    return workOutside().then(query) as never;
  });
}

// The embedded database has only one session, which the transaction uses.
describe.runIf(process.env['TEST_DATABASE'] === 'postgres')('changes at the same time', () => {
  it('changes at the same time are reported when they are committed, however long that takes', async () => {
    const [slow, quick] = [await makeEpisode(test.ctx, show), await makeEpisode(test.ctx, show)];
    const site = await connect();
    await site.catchUp();
    const gate = Promise.withResolvers<void>();
    const made = Promise.withResolvers<void>();
    const committed = transact(test.ctx, async (tx) => {
      await updateEpisode(tx, slow.id, { title: 'Slow' });
      made.resolve();
      await gate.promise;
    });
    await made.promise;
    await updateEpisode(test.ctx, quick.id, { title: 'Quick' });
    await site.catchUp();
    expect(titlesOf(site)).toEqual(['An episode', 'Quick']);
    await updateEpisode(test.ctx, quick.id, { title: 'Quicker' });
    await site.catchUp();
    gate.resolve();
    await committed;
    await site.catchUp();
    expect(titlesOf(site)).toEqual(['Quicker', 'Slow']);
  });

  it('changes at the same time of the podcast during a comparison are not lost, also if they are undone', async () => {
    const { id } = await makeEpisode(test.ctx, show, { title: 'One' });
    const site = await connect();
    await site.catchUp();
    await updateEpisode(test.ctx, id, { title: 'Two' });
    doBefore('from podcasts p', () => updatePodcast(test.ctx, show.id, { slug: 'another' }));
    await site.read();
    expect(site.held.get(id)?.episode).toMatchObject({ title: 'Two', podcastSlug: 'another' });
    await updatePodcast(test.ctx, show.id, { slug: 'the-show' });
    await site.catchUp();
    expect(site.held.get(id)?.episode).toMatchObject({ title: 'Two', podcastSlug: 'the-show' });
  });

  it('changes at the same time have the same numbers for several readers of one site', async () => {
    for (let at = 0; at < 30; at += 1) await makeEpisode(test.ctx, show, { title: `${at}` });
    const { siteId, ctx } = await makeSite(test.ctx, ana, [show]);
    const readers = [1, 2, 3, 4].map(() => new SiteReader({ siteId, ctx }));
    await Promise.all(readers.map((reader) => reader.catchUp(7)));
    for (const { seen } of readers) {
      expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
      expect(seen).toEqual(readers[0]?.seen);
    }
  });
});

it('a show that is handed over leaves the sites of its old owner', async () => {
  await makeEpisode(test.ctx, show);
  const site = await connect();
  await site.catchUp();
  const heir = await makeUser(test.ctx);
  const as = (userId: string) => test.contextFor({ kind: 'user', userId });
  const offer = { podcastId: show.id, email: heir.email, currentPassword: testPassword };
  await offerOwnership(as(ana.id), offer);
  const token = await findEmailToken(test, heir.email);
  await acceptOwnership(as(heir.id), { token, teamKeys: true });
  expect(await site.catchUp()).toMatchObject([{ reason: 'show_removed' }]);
});
