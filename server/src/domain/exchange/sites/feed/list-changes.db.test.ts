import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../../test/make.ts';
import { makeSite } from '../../../../../test/make-site.ts';
import { SiteReader } from '../../../../../test/site-reader.ts';
import { cutOffPodcastKeys } from '../../../access/keys/index.ts';
import { setPlan, type User } from '../../../foundation/accounts/index.ts';
import { attachExternalAudio } from '../../../publishing/audio/index.ts';
import {
  archiveEpisode,
  deleteEpisode,
  scheduleEpisode,
  unpublishEpisode,
  updateEpisode,
} from '../../../publishing/episodes/index.ts';
import { addPerson, setCredits, setPeople } from '../../../publishing/people/index.ts';
import {
  addMember,
  changeMember,
  type Podcast,
  pausePodcast,
  removeMember,
  resumePodcast,
  setTeamKeys,
  updatePodcast,
} from '../../../publishing/podcasts/index.ts';
import { setTranscript } from '../../../publishing/transcripts/index.ts';
import { deletePodcast } from '../../../service/shows/index.ts';
import { listChanges } from './list-changes.ts';

let test: TestContext;
let ana: User;
let show: Podcast;
// One installation for all: each test has its own user, show and sites.
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());
beforeEach(async () => {
  ana = await makeUser(test.ctx);
  show = await makePodcast(test.ctx, { owner: ana });
});

const rows = async (sql: string) => (await test.database.pool.query(sql)).rows;
const connect = async (
  ...options: Parameters<typeof makeSite> extends [unknown, ...infer R] ? R : never
) => new SiteReader(await makeSite(test.ctx, ...options));
const brief = (changes: Awaited<ReturnType<SiteReader['read']>>) =>
  changes.map((change) => (change.contentHash === null ? change.reason : change.episode.title));

describe('a new site', () => {
  // SITE-25, SITE-27
  it('reads all public episodes, the oldest publication first, also without audio', async () => {
    const at = (hour: number) => ({ publishedAt: new Date(`2026-03-01T0${hour}:00:00Z`) });
    await makeEpisode(test.ctx, show, { title: 'Second', ...at(2) });
    await makeEpisode(test.ctx, show, { title: 'First', ...at(1) });
    await makeEpisode(test.ctx, show, { title: 'Draft', status: 'draft' });
    const archived = await makeEpisode(test.ctx, show, { title: 'Archived' });
    await archiveEpisode(test.ctx, archived.id);
    const site = await connect(ana, [show]);
    expect(brief(await site.read(1))).toEqual(['First']);
    expect(brief(await site.read(1))).toEqual(['Second']);
    expect(await site.read(1)).toEqual([]);
    expect(site.seen[0]).toMatchObject({ seq: 1, podcastId: show.id, episode: { audio: null } });
  });

  it('reads shows of more episodes than one transaction compares', async () => {
    for (let at = 0; at < 250; at += 1) await makeEpisode(test.ctx, show, { title: `Part ${at}` });
    const site = await connect(ana, [show]);
    expect(await site.read(100)).toHaveLength(100);
    await updatePodcast(test.ctx, show.id, { slug: 'another-slug' });
    await site.catchUp(7);
    expect(site.held.size).toBe(250);
    const slugs = [...site.held.values()].map(({ episode }) => episode.podcastSlug);
    expect(new Set(slugs)).toEqual(new Set(['another-slug']));
  });
});

describe('an episode', () => {
  // SITE-26, SITE-28
  it('an episode gets a number for each visible change, and none for others', async () => {
    const episode = await makeEpisode(test.ctx, show, { title: 'One' });
    const site = await connect(ana, [show]);
    await site.catchUp();
    const first = site.held.get(episode.id)?.contentHash;
    await updateEpisode(test.ctx, episode.id, { itunesBlock: true, linkUrl: 'https://x.example/' });
    expect(await site.catchUp()).toEqual([]);
    await updateEpisode(test.ctx, episode.id, { title: 'Two' });
    await updateEpisode(test.ctx, episode.id, { subtitle: 'More' });
    expect(brief(await site.catchUp())).toEqual(['Two']);
    await updateEpisode(test.ctx, episode.id, { title: 'One', subtitle: null });
    expect(brief(await site.catchUp())).toEqual(['One']);
    expect(site.held.get(episode.id)?.contentHash).toBe(first);
  });

  // SITE-29, SITE-30
  it('an episode is in the feed from the second of its publication, and ends with a reason', async () => {
    const hour = new Date(test.clock.now().getTime() + 3_600_000);
    const episode = await makeEpisode(test.ctx, show, { status: 'draft' });
    await scheduleEpisode(test.ctx, episode.id, hour);
    const site = await connect(ana, [show]);
    test.clock.set(new Date(hour.getTime() - 1));
    expect(await site.catchUp()).toEqual([]);
    test.clock.set(hour);
    expect(brief(await site.catchUp())).toEqual(['An episode']);
    // A clock up to a minute behind counts as equal; an hour back undoes the publication.
    test.clock.set(new Date(hour.getTime() - 60_000));
    expect(await site.catchUp()).toEqual([]);
    test.clock.set(new Date(hour.getTime() - 60_001));
    expect(brief(await site.catchUp())).toEqual(['unpublished']);
    test.clock.set(hour);
    expect(brief(await site.catchUp())).toEqual(['An episode']);
    await unpublishEpisode(test.ctx, episode.id);
    expect(brief(await site.catchUp())).toEqual(['unpublished']);
    await deleteEpisode(test.ctx, episode.id);
    expect(brief(await site.catchUp())).toEqual(['deleted']);
  });

  it('shows its people, the roster, its audio and the artwork of the show', async () => {
    const episode = await makeEpisode(test.ctx, show);
    const bo = await addPerson(test.ctx, { podcastId: show.id, name: 'Bo', roster: true });
    const site = await connect(ana, [show]);
    await site.catchUp();
    const shown = () => site.held.get(episode.id)?.episode;
    expect(shown()).toMatchObject({ people: [{ name: 'Bo', role: 'host', photo: null }] });
    await setPeople(test.ctx, show.id, [{ name: 'Cy' }]);
    await site.catchUp();
    expect(shown()?.people).toMatchObject([{ name: 'Cy' }]);
    const di = await addPerson(test.ctx, { podcastId: show.id, name: 'Di', roster: false });
    expect(await site.catchUp()).toEqual([]);
    await setCredits(test.ctx, episode.id, [{ personId: di.id, role: 'guest' }]);
    await site.catchUp();
    expect(shown()?.people).toEqual([{ name: 'Di', role: 'guest', photo: null }]);
    const [image] = await rows(`insert into images (id, podcast_id, content_type, width, height,
      size_bytes, sha256, created_at) values (gen_random_uuid(), '${show.id}', 'image/png', 1, 1, 1,
      'x', now()) returning id`);
    await rows(`update podcasts set artwork_id = '${image?.id}' where id = '${show.id}'`);
    await updatePodcast(test.ctx, show.id, { title: 'Another' });
    await site.catchUp();
    expect(shown()?.artwork).toEqual({ id: image?.id, contentType: 'image/png' });
    const audio = {
      url: 'https://cdn.example/a.mp3',
      declaredType: null,
      sizeBytes: 9,
      durationMs: 1_400,
    };
    await attachExternalAudio(test.ctx, episode.id, audio);
    await site.catchUp();
    expect(shown()?.audio).toMatchObject({ sizeBytes: 9, durationMs: 1_000 });
    await attachExternalAudio(test.ctx, episode.id, { ...audio, durationMs: 1_300 });
    expect(await site.catchUp()).toEqual([]);
    expect(bo.name).toBe('Bo');
  });

  // SITE-25
  it('an episode has its transcript only for sites that include transcripts', async () => {
    const episode = await makeEpisode(test.ctx, show);
    const without = await connect(ana, [show]);
    const siteUrl = 'https://blog.example/';
    const before = await connect(ana, [show], { siteUrl });
    await Promise.all([without.catchUp(), before.catchUp()]);
    await setTranscript(test.ctx, episode.id, {
      ...{ language: 'de', wordCount: 1, durationMs: 1 },
      segments: [{ startMs: 0, endMs: 1, speaker: '', text: 'Hallo' }],
    });
    await updateEpisode(test.ctx, episode.id, { publishTranscript: true });
    expect([await without.catchUp(), await before.catchUp()]).toEqual([[], []]);
    // The same site, connected again with transcripts, gets new contents.
    const after = await connect(ana, [show], { siteUrl, transcripts: true });
    after.position = before.position;
    await after.catchUp();
    expect(after.held.get(episode.id)?.episode.transcriptLanguage).toBe('de');
  });
});

describe('a show', () => {
  // SITE-31, SITE-32
  it('a show waits while it is paused or its plan has lapsed', async () => {
    const episode = await makeEpisode(test.ctx, show, { title: 'One' });
    const site = await connect(ana, [show]);
    await pausePodcast(test.ctx, show.id);
    expect(await site.catchUp()).toEqual([]);
    await resumePodcast(test.ctx, show.id);
    await site.catchUp();
    await pausePodcast(test.ctx, show.id);
    await updateEpisode(test.ctx, episode.id, { title: 'Two' });
    const again = await connect(ana, [show], { siteUrl: 'https://again.example/' });
    expect([await site.catchUp(), await again.catchUp()]).toEqual([[], []]);
    site.position = 0;
    expect(brief(await site.catchUp())).toEqual(['One']);
    await resumePodcast(test.ctx, show.id);
    expect(brief(await site.catchUp())).toEqual(['Two']);
    const plan = { email: ana.email, plan: 'creator' };
    await setPlan(test.ctx, { ...plan, planState: 'lapsed' });
    await expect(site.read()).rejects.toMatchObject({ kind: 'plan_upgrade_required' });
    await deleteEpisode(test.ctx, episode.id);
    await setPlan(test.ctx, { ...plan, planState: 'active' });
    expect(brief(await site.catchUp())).toEqual(['deleted']);
  });

  // SITE-28
  it.each(['without a call', 'with calls'])(
    'a show gets no new numbers when its plan lapses and is active again, %s in between',
    async (calls) => {
      await makeEpisode(test.ctx, show, { title: 'One' });
      await makeEpisode(test.ctx, show, { title: 'Two' });
      const { siteId, ctx } = await makeSite(test.ctx, ana, [show]);
      const [site, anew] = [new SiteReader({ siteId, ctx }), new SiteReader({ siteId, ctx })];
      await site.catchUp();
      const before = [...site.seen];
      const plan = { email: ana.email, plan: 'creator' };
      await setPlan(test.ctx, { ...plan, planState: 'lapsed' });
      if (calls === 'with calls') {
        const refused = { kind: 'plan_upgrade_required' };
        await expect(site.read()).rejects.toMatchObject(refused);
        await expect(anew.read()).rejects.toMatchObject(refused);
      }
      await setPlan(test.ctx, { ...plan, planState: 'active' });
      expect(await site.catchUp()).toEqual([]);
      expect(await anew.catchUp()).toEqual(before);
    },
  );

  // SITE-32
  it('a show is left out while its plan has lapsed, and repeated for readers past it', async () => {
    const bo = await makeUser(test.ctx);
    const theirs = await makePodcast(test.ctx, { owner: bo });
    await addMember(test.ctx, { podcastId: theirs.id, userId: ana.id, role: 'admin' });
    const [withheld] = [await makeEpisode(test.ctx, theirs, { title: 'Withheld' })];
    const { siteId, ctx } = await makeSite(test.ctx, ana, [show, theirs]);
    const [early, late] = [new SiteReader({ siteId, ctx }), new SiteReader({ siteId, ctx })];
    await early.catchUp();
    const setState = (planState: 'active' | 'lapsed') =>
      setPlan(test.ctx, { email: bo.email, plan: 'creator', planState });
    await setState('lapsed');
    await makeEpisode(test.ctx, show, { title: 'Readable' });
    expect(brief(await late.catchUp())).toEqual(['Readable']);
    expect(brief(await early.catchUp())).toEqual(['Readable']);
    await setState('active');
    expect(brief(await late.catchUp())).toEqual(['Withheld']);
    expect(late.held.get(withheld.id)).toEqual(early.held.get(withheld.id));
    expect(brief(await early.catchUp())).toEqual(['Withheld']);
    // This time no reader is past it.
    await setState('lapsed');
    await early.catchUp();
    await setState('active');
    expect(await early.catchUp()).toEqual([]);
  });

  // SITE-32
  it('a show is repeated from the first change that a page has left out, not from that of a later page', async () => {
    const bo = await makeUser(test.ctx);
    const theirs = await makePodcast(test.ctx, { owner: bo });
    await addMember(test.ctx, { podcastId: theirs.id, userId: ana.id, role: 'admin' });
    const { siteId, ctx } = await makeSite(test.ctx, ana, [show, theirs]);
    const [early, late] = [new SiteReader({ siteId, ctx }), new SiteReader({ siteId, ctx })];
    for (const [podcast, title] of [
      [theirs, 'First'],
      [show, 'Readable'],
      [theirs, 'Second'],
    ] as const) {
      await makeEpisode(test.ctx, podcast, { title });
      await early.catchUp();
    }
    const plan = { email: bo.email, plan: 'creator' };
    await setPlan(test.ctx, { ...plan, planState: 'lapsed' });
    expect(brief(await late.catchUp())).toEqual(['Readable']);
    await setPlan(test.ctx, { ...plan, planState: 'active' });
    expect(brief(await late.catchUp())).toEqual(['First', 'Second']);
  });

  // KEY-17, SITE-30
  it('a show is removed when it is cut off, and its posts are detached', async () => {
    const other = await makePodcast(test.ctx, { owner: ana });
    const [episode] = [await makeEpisode(test.ctx, show), await makeEpisode(test.ctx, other)];
    const { siteId, ctx } = await makeSite(test.ctx, ana, [show, other]);
    const site = new SiteReader({ siteId, ctx });
    await site.catchUp();
    for (const { episodeId, podcastId } of site.seen) {
      await rows(`insert into site_posts (site_id, episode_id, podcast_id, post_url, state, wp_post_id,
        reported_at) values ('${siteId}', '${episodeId}', '${podcastId}', 'https://x.example/', 'published', 1,
        now())`);
    }
    await cutOffPodcastKeys(test.ctx, show.id);
    // Even a page that is full without it never shows what the site lost.
    const late = new SiteReader({ siteId, ctx });
    expect(brief(await late.read(1))).toEqual(['An episode']);
    expect(late.held.has(episode.id)).toBe(false);
    expect(brief(await site.catchUp())).toEqual(['show_removed']);
    const posts = await rows(`select podcast_id, detached_at from site_posts
      where site_id = '${siteId}' order by podcast_id = '${show.id}'`);
    expect(posts).toMatchObject([{ detached_at: null }, { detached_at: test.clock.now() }]);
    await deletePodcast(test.ctx, other.id);
    expect(brief(await site.catchUp())).toEqual(['deleted']);
    await deletePodcast(test.ctx, show.id);
    expect(await site.catchUp()).toEqual([]);
  });

  // SITE-30
  it('a show comes back with a membership, and shows a co-host only their episodes', async () => {
    const bo = await makeUser(test.ctx);
    const theirs = await makeEpisode(test.ctx, show, { title: 'With Bo' });
    await makeEpisode(test.ctx, show, { title: 'Without' });
    const person = await addPerson(test.ctx, { podcastId: show.id, name: 'Bo', userId: bo.id });
    await setCredits(test.ctx, theirs.id, [{ personId: person.id }]);
    const member = { podcastId: show.id, userId: bo.id };
    await addMember(test.ctx, { ...member, role: 'admin' });
    const site = await connect(bo, [show]);
    expect(brief(await site.catchUp()).sort()).toEqual(['With Bo', 'Without']);
    await removeMember(test.ctx, member);
    expect(brief(await site.catchUp())).toEqual(['show_removed', 'show_removed']);
    await addMember(test.ctx, { ...member, role: 'admin' });
    expect(brief(await site.catchUp()).sort()).toEqual(['With Bo', 'Without']);
    await setTeamKeys(test.ctx, { podcastId: show.id, allowed: true });
    await changeMember(test.ctx, { ...member, role: 'cohost' });
    expect(brief(await site.catchUp())).toEqual(['show_removed']);
    await setCredits(test.ctx, theirs.id, []);
    expect(brief(await site.catchUp())).toEqual(['show_removed']);
  });
});

describe('a position', () => {
  // SITE-33
  it('a position is unknown beyond the newest number, and after a backup was restored', async () => {
    const episode = await makeEpisode(test.ctx, show, { title: 'One' });
    const { siteId, ctx } = await makeSite(test.ctx, ana, [show]);
    const site = new SiteReader({ siteId, ctx });
    await site.catchUp();
    const read = (after: number) => listChanges(ctx, siteId, { after, limit: 1 });
    const unknown = { kind: 'invalid', details: [{ reason: 'unknown_position' }] };
    await expect(read(2)).rejects.toMatchObject(unknown);
    await expect(read(Number.MAX_SAFE_INTEGER)).rejects.toMatchObject(unknown);
    // The new server never gave the number 5, and its transactions may have lower numbers.
    await rows(`update sites set history = 'another server' where id = '${siteId}'`);
    await rows(`update content_changes set xid = '3' where podcast_id = '${show.id}'`);
    await rows(`update episodes set title = 'Two' where id = '${episode.id}'`);
    expect(brief(await site.catchUp())).toEqual(['Two']);
    await expect(read(5)).rejects.toMatchObject(unknown);
    expect(site.position).toBeGreaterThan(1_000_000);
    expect((await read(0)).changes).toHaveLength(1);
  });

  // SITE-23
  it('a position is recorded with each call, but at most once a minute', async () => {
    await makeEpisode(test.ctx, show);
    const { siteId, ctx } = await makeSite(test.ctx, ana, [show]);
    const site = new SiteReader({ siteId, ctx });
    const noted = () =>
      rows(`select after_seq, called_at from site_calls where site_id = '${siteId}'`);
    const start = test.clock.now();
    await site.read();
    expect(await noted()).toEqual([{ after_seq: 0, called_at: start }]);
    test.clock.advance(1_000);
    await site.read();
    const moved = { after_seq: 1, called_at: test.clock.now() };
    expect(await noted()).toEqual([moved]);
    test.clock.advance(59_000);
    await site.read();
    expect(await noted()).toEqual([moved]);
    test.clock.advance(1_001);
    await site.read();
    expect(await noted()).toEqual([{ after_seq: 1, called_at: test.clock.now() }]);
  });
});
