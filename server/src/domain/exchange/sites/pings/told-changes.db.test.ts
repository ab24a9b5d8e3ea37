import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Certificate, makeCertificate } from '../../../../../test/hosts/certificate.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../../test/make.ts';
import {
  openPingTest,
  type PingedSite,
  type PingTest,
} from '../../../../../test/open-ping-test.ts';
import { SiteReader } from '../../../../../test/site-reader.ts';
import { useOneDatabase } from '../../../../../test/use-one-database.ts';
import { cutOffPodcastKeys } from '../../../access/keys/index.ts';
import { setPlan, type User } from '../../../foundation/accounts/index.ts';
import { type Episode, updateEpisode } from '../../../publishing/episodes/index.ts';
import {
  addMember,
  type Podcast,
  pausePodcast,
  removeMember,
  resumePodcast,
} from '../../../publishing/podcasts/index.ts';
import { deletePodcast } from '../../../service/shows/index.ts';
import { changeShows } from '../index.ts';

const certificate = makeCertificate();

// Runs with the real change feed: which changes cause a ping.
describe.skipIf(certificate === undefined)('a site is told', () => {
  const databases = useOneDatabase();
  let pings: PingTest;
  let owner: User;
  let podcast: Podcast;
  let episode: Episode;
  let site: PingedSite;
  beforeEach(async () => {
    pings = await openPingTest(certificate as Certificate, databases);
    const { ctx } = pings.test;
    owner = await makeUser(ctx);
    podcast = await makePodcast(ctx, { owner });
    episode = await makeEpisode(ctx, podcast);
    site = await pings.makeSite({ userId: owner.id, podcasts: [podcast] });
    await told();
  });
  afterEach(() => pings[Symbol.asyncDispose]());

  /** The `seq`s of the pings since the last call. */
  async function told(): Promise<number[]> {
    pings.test.clock.advance(10_000);
    pings.received.length = 0;
    await pings.send();
    return pings.received.map(({ body }) => JSON.parse(body).seq);
  }
  const change = (fields: object) => updateEpisode(pings.test.ctx, episode.id, fields);
  const planIs = (planState: 'active' | 'lapsed') =>
    setPlan(pings.test.ctx, { email: owner.email, plan: 'studio', planState });

  it('a site is notified once of an episode that changes', async () => {
    await change({ title: 'Another' });
    expect(await told()).toEqual([2]);
    expect(await told()).toEqual([]);
  });

  it('a site is not notified of changes that it has read already', async () => {
    await change({ title: 'Another' });
    await new SiteReader({ ctx: site.ctx, siteId: site.id }).catchUp();
    expect(await told()).toEqual([]);
  });

  it('a site is not notified again after many failures, until it has called', async () => {
    pings.respond((_, response) => void response.writeHead(404).end());
    await change({ title: 'Another' });
    for (let day = 0; day < 20; day += 1) {
      pings.test.clock.advance(24 * 3_600_000);
      await told();
    }
    pings.respond(undefined);
    await change({ title: 'A third' });
    expect(await told()).toEqual([]);
    await new SiteReader({ ctx: site.ctx, siteId: site.id }).catchUp();
    expect(await told()).toEqual([]);
    await change({ title: 'A fourth' });
    expect(await told()).toEqual([4]);
  });

  it('a site is notified of several changes once, with the newest seq', async () => {
    await change({ title: 'Another' });
    await makeEpisode(pings.test.ctx, podcast);
    await makeEpisode(pings.test.ctx, podcast);
    expect(await told()).toEqual([4]);
  });

  it('a site is not notified if no visible field has changed', async () => {
    await change({ title: episode.title });
    await makeEpisode(pings.test.ctx, podcast, { status: 'draft' });
    await change({ title: 'Another' });
    await change({ title: episode.title });
    expect(await told()).toEqual([]);
  });

  it('a site is notified of a scheduled publication at its time', async () => {
    const { ctx, clock } = pings.test;
    const scheduledFor = new Date(clock.now().getTime() + 60_000);
    await makeEpisode(ctx, podcast, { status: 'scheduled', scheduledFor });
    expect(await told()).toEqual([]);
    clock.set(scheduledFor);
    expect(await told()).toEqual([2]);
  });

  it('a site is not notified when the plan lapses, but of all changes when it is active again', async () => {
    await planIs('lapsed');
    expect(await told()).toEqual([]);
    await change({ title: 'Another' });
    expect(await told()).toEqual([]);
    await planIs('active');
    expect(await told()).toEqual([2]);
  });

  it('a site is not notified of a paused show, until it is active again', async () => {
    await pausePodcast(pings.test.ctx, podcast.id);
    await change({ title: 'Another' });
    expect(await told()).toEqual([]);
    await resumePodcast(pings.test.ctx, podcast.id);
    expect(await told()).toEqual([2]);
  });

  it('a site is notified of a show that its keys are cut off from', async () => {
    await cutOffPodcastKeys(pings.test.ctx, podcast.id);
    expect(await told()).toEqual([2]);
  });

  it('a site is notified of a show that is deleted', async () => {
    await deletePodcast(pings.test.ctx, podcast.id);
    expect(await told()).toEqual([2]);
  });

  it('a site is notified of a show whose team its user has left', async () => {
    const { ctx } = pings.test;
    const admin = await makeUser(ctx);
    const membership = { podcastId: podcast.id, userId: admin.id };
    await addMember(ctx, { ...membership, role: 'admin' });
    const theirs = await pings.makeSite({ userId: admin.id, podcasts: [podcast] });
    await change({ title: 'Another' });
    await told();
    await removeMember(ctx, membership);
    expect(await told()).toEqual([2]);
    expect(pings.received[0]?.path).toContain(theirs.id);
  });

  it('a site is notified of shows that its user adds and removes', async () => {
    const { ctx } = pings.test;
    const other = await makePodcast(ctx, { owner });
    await makeEpisode(ctx, other);
    await told();
    const asOwner = pings.test.contextFor({ kind: 'user', userId: owner.id });
    await changeShows(asOwner, site.id, [podcast.id, other.id]);
    expect(await told()).toEqual([2]);
    await changeShows(asOwner, site.id, [other.id]);
    expect(await told()).toEqual([3]);
  });

  it('a site is not notified after it was disconnected', async () => {
    await change({ title: 'Another' });
    await pings.rows('update api_keys set revoked_at = now() where id = $1', [site.keyId]);
    expect(await told()).toEqual([]);
  });
});
