import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeEpisode, makePodcast, makeUser } from '../../../../../test/make.ts';
import {
  openPingTest,
  type PingedSite,
  type PingTest,
} from '../../../../../test/open-ping-test.ts';
import { useOneDatabase } from '../../../../../test/use-one-database.ts';
import { cutOffPodcastKeys } from '../../../access/keys/index.ts';
import { setPlan, type User } from '../../../foundation/accounts/index.ts';
import { announceChange } from '../../../foundation/outbox/index.ts';
import { archiveEpisode } from '../../../publishing/episodes/index.ts';
import {
  addMember,
  type Podcast,
  setTeamKeys,
  updatePodcast,
} from '../../../publishing/podcasts/index.ts';
import { schedulePingsForChanges, schedulePingsForPublications } from './schedule-pings.ts';

const hour = 3_600_000;

const databases = useOneDatabase();
let pings: PingTest;
let owner: User;
let editor: User;
let podcast: Podcast;
let other: Podcast;
/**
 * Sites of the owner, of the editor, of a user who does not follow the podcast, and an inactive
 * one.
 */
let sites: Record<'own' | 'editors' | 'others' | 'pending', PingedSite>;
beforeEach(async () => {
  pings = await openPingTest(undefined, databases);
  const { ctx } = pings.test;
  owner = await makeUser(ctx);
  editor = await makeUser(ctx);
  podcast = await makePodcast(ctx, { owner });
  other = await makePodcast(ctx, { owner });
  await addMember(ctx, { podcastId: podcast.id, userId: editor.id, role: 'admin' });
  const podcasts = [podcast];
  sites = {
    own: await pings.makeSite({ userId: owner.id, podcasts }),
    editors: await pings.makeSite({ userId: editor.id, podcasts }),
    others: await pings.makeSite({ userId: owner.id, podcasts: [other] }),
    pending: await pings.makeSite({ userId: owner.id, podcasts, active: false }),
  };
  await schedulePingsForChanges(ctx);
  await pings.rows('delete from site_pings');
});
afterEach(() => pings[Symbol.asyncDispose]());

/** The sites whose pings become due by the new changes. */
async function dueNames(): Promise<string[]> {
  await schedulePingsForChanges(pings.test.ctx);
  const due = await pings.rows('select site_id from site_pings where due_at is not null');
  const ids = new Set(due.map(({ site_id }) => site_id));
  return Object.entries(sites).flatMap(([name, { id }]) => (ids.has(id) ? [name] : []));
}
const membership = () => ({ podcastId: podcast.id, userId: editor.id });

describe('pings become due', () => {
  it('pings become due for all active sites that follow a podcast, at each of its changes', async () => {
    const { ctx } = pings.test;
    const { id: podcastId } = podcast;
    const changes = [
      () => updatePodcast(ctx, podcastId, { title: 'Another' }),
      () => makeEpisode(ctx, podcast),
      async () => archiveEpisode(ctx, (await makeEpisode(ctx, podcast)).id),
      () => setTeamKeys(ctx, { podcastId, allowed: false }),
      () => announceChange(ctx, { kind: 'podcast.status_changed', podcastId }),
      () =>
        announceChange(ctx, {
          ...{ kind: 'ownership.changed', podcastId },
          ...{ userId: editor.id, previousUserId: owner.id },
        }),
      () => setPlan(ctx, { email: owner.email, plan: 'studio', planState: 'lapsed' }),
    ];
    for (const change of changes) {
      await change();
      expect(await dueNames()).toEqual(expect.arrayContaining(['own', 'editors']));
      expect(await dueNames()).not.toContain('pending');
      await pings.rows('delete from site_pings');
    }
  });

  it('pings do not become due for other sites', async () => {
    await makeEpisode(pings.test.ctx, podcast);
    expect(await dueNames()).toEqual(['own', 'editors']);
    const [due] = await pings.rows('select due_at from site_pings limit 1');
    expect(due).toEqual({ due_at: pings.test.clock.now() });
    await pings.rows('delete from site_pings');
    await makeEpisode(pings.test.ctx, other);
    expect(await dueNames()).toEqual(['others']);
  });

  it('pings become due for the sites of a member whose membership changes', async () => {
    await announceChange(pings.test.ctx, { kind: 'membership.removed', ...membership() });
    await announceChange(pings.test.ctx, { kind: 'membership.changed', ...membership() });
    expect(await dueNames()).toEqual(['editors']);
  });

  it('pings become due for all shows of an account whose plan changes', async () => {
    await setPlan(pings.test.ctx, { email: owner.email, plan: 'studio', planState: 'lapsed' });
    expect(await dueNames()).toEqual(['own', 'editors', 'others']);
  });

  it('pings become due for sites that lose the podcast, because they still have its posts', async () => {
    const follow = 'insert into site_podcasts (site_id, podcast_id) values ($1, $2)';
    await pings.rows(follow, [sites.own.id, podcast.id]);
    await pings.rows('delete from podcasts where id = $1', [podcast.id]);
    await announceChange(pings.test.ctx, { kind: 'podcast.deleted', podcastId: podcast.id });
    expect(await dueNames()).toEqual(['own']);
  });

  it('pings become due if the owner cuts all keys off', async () => {
    const follow = 'insert into site_podcasts (site_id, podcast_id) values ($1, $2)';
    for (const { id } of [sites.own, sites.editors]) await pings.rows(follow, [id, podcast.id]);
    await cutOffPodcastKeys(pings.test.ctx, podcast.id);
    expect(await dueNames()).toEqual(['own', 'editors']);
  });

  it('pings become due once if several workers read the changes', async () => {
    await makeEpisode(pings.test.ctx, podcast);
    await Promise.all([
      schedulePingsForChanges(pings.test.ctx),
      schedulePingsForChanges(pings.test.ctx),
      dueNames(),
    ]);
    expect(await dueNames()).toEqual(['own', 'editors']);
  });
});

describe('a publication', () => {
  const after = (ms: number) => new Date(pings.test.clock.now().getTime() + ms);
  const publish = async (...times: Date[]) => {
    await pings.rows('update publication_clocks set published_until = $1', [
      pings.test.clock.now(),
    ]);
    for (const scheduledFor of times) {
      await makeEpisode(pings.test.ctx, podcast, { status: 'scheduled', scheduledFor });
    }
    await schedulePingsForChanges(pings.test.ctx);
    await pings.rows('delete from site_pings');
  };
  const published = async (atOnce = 1_000) => {
    await schedulePingsForPublications(pings.test.ctx, { atOnce });
    const due = await dueNames();
    await pings.rows('delete from site_pings');
    return due;
  };

  it('makes pings due when its time has come, once', async () => {
    await publish(after(hour));
    pings.test.clock.advance(hour - 1);
    expect(await published()).toEqual([]);
    pings.test.clock.advance(1);
    expect(await published()).toEqual(['own', 'editors']);
    pings.test.clock.advance(1);
    expect(await published()).toEqual([]);
  });

  it('a publication is noted in pieces after a long absence', async () => {
    const times = Array.from({ length: 5 }, () => after(hour));
    await publish(...times, ...Array.from({ length: 6 }, (_, at) => after((at + 2) * hour)));
    pings.test.clock.advance(7 * 24 * hour);
    expect(await published(2)).toEqual(['own', 'editors']);
    expect(
      await pings.rows(
        `select published_until from publication_clocks where consumer = 'site-pings'`,
      ),
    ).toEqual([{ published_until: pings.test.clock.now() }]);
  });

  it('a publication in a later piece is noted although its show has none in the first', async () => {
    const last = { status: 'scheduled', scheduledFor: after(3 * hour) } as const;
    await makeEpisode(pings.test.ctx, other, last);
    await publish(after(hour), after(2 * hour));
    pings.test.clock.advance(4 * hour);
    expect(await published(2)).toEqual(['own', 'editors', 'others']);
  });

  it('a publication is undone and repeated if the clock is set back', async () => {
    await publish(after(hour));
    pings.test.clock.advance(2 * hour);
    expect(await published()).toEqual(['own', 'editors']);
    pings.test.clock.advance(-1.5 * hour);
    expect(await published()).toEqual(['own', 'editors']);
    expect(await published()).toEqual([]);
    pings.test.clock.advance(hour);
    expect(await published()).toEqual(['own', 'editors']);
  });

  it('a publication is found by a worker without any change', async () => {
    await publish(after(hour));
    pings.test.clock.advance(hour);
    await pings.send();
    expect(
      await pings.rows(
        `select published_until from publication_clocks where consumer = 'site-pings'`,
      ),
    ).toEqual([{ published_until: pings.test.clock.now() }]);
  });
});
