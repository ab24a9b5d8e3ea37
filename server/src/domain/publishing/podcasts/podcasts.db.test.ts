import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makePodcast, makeUser } from '../../../../test/make.ts';
import { fieldsRefused, refusalOf } from '../../../../test/refusal-of.ts';
import { podcastGuid } from '../../../lib/uuid.ts';
import type { DomainError } from '../../foundation/errors.ts';
import { type Action, authorize } from '../../foundation/permissions/index.ts';
import {
  activatePodcast,
  addMember,
  createPodcast,
  editPodcast,
  endOverageSuspension,
  getPodcast,
  pausePodcast,
  resumePodcast,
  startPodcast,
  suspendForOverage,
  suspendPodcast,
  updatePodcast,
} from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

describe('slugs', () => {
  // STATE-12
  it('slugs belong to their podcast forever, also with simultaneous requests', async () => {
    const attempts = await Promise.allSettled(
      [1, 2, 3].map(() => makePodcast(test.ctx, { slug: 'wanted' })),
    );
    expect(attempts.filter((attempt) => attempt.status === 'fulfilled')).toHaveLength(1);
    const first = await makePodcast(test.ctx, { slug: 'was-first' });
    await updatePodcast(test.ctx, first.id, { slug: 'is-now' });
    const error = await refusalOf(makePodcast(test.ctx, { slug: 'was-first' }));
    expect(error?.details[0]).toMatchObject({ field: 'slug', reason: 'slug_taken' });
    expect((await updatePodcast(test.ctx, first.id, { slug: 'was-first' })).slug).toBe('was-first');
  });

  it('slugs of a show are at most 200', async () => {
    const { id } = await makePodcast(test.ctx, { slug: 'slug-1' });
    await test.database.pool.query(
      `insert into podcast_slugs (slug, podcast_id, created_at)
       select 'slug-' || n, $1, now() from generate_series(2, 200) n`,
      [id],
    );
    const { details } = await refusalOf(updatePodcast(test.ctx, id, { slug: 'slug-201' }));
    expect(details).toMatchObject([{ field: 'slug', messageKey: 'slugs_used_up' }]);
    await makePodcast(test.ctx, { slug: 'slug-201' });
    expect((await updatePodcast(test.ctx, id, { slug: 'slug-200' })).slug).toBe('slug-200');
  });

  // STATE-15
  it('slugs of a show have twenty last ones that only its owner takes', async () => {
    const [owner, admin] = [await makeUser(test.ctx), await makeUser(test.ctx)];
    const { id } = await makePodcast(test.ctx, { owner, slug: 'member-1' });
    await addMember(test.ctx, { podcastId: id, userId: admin.id, role: 'admin' });
    await test.database.pool.query(
      `insert into podcast_slugs (slug, podcast_id, created_at)
       select 'member-' || n, $1, now() from generate_series(2, 179) n`,
      [id],
    );
    const rename = (slug: string, { id: userId }: { id: string }) =>
      editPodcast(test.contextFor({ kind: 'user', userId }), id, { slug });
    await rename('member-180', admin);
    const { details } = await refusalOf(rename('member-181', admin));
    expect(details).toMatchObject([{ field: 'slug', messageKey: 'slugs_of_owner' }]);
    expect((await rename('member-181', owner)).slug).toBe('member-181');
    expect((await rename('member-5', admin)).slug).toBe('member-5');
  });

  it('slugs are taken by a user with new shows and new names at most 60 times an hour', async () => {
    const owner = await makeUser(test.ctx);
    const { id } = await makePodcast(test.ctx, { owner });
    const ctx = test.contextFor({ kind: 'user', userId: owner.id });
    for (let n = 0; n < 59; n += 1) await editPodcast(ctx, id, { slug: `renamed-${n % 2}` });
    await startPodcast(ctx, { title: 'Another' });
    expect((await refusalOf(editPodcast(ctx, id, { slug: 'once-more' }))).kind).toBe(
      'rate_limited',
    );
    expect((await refusalOf(startPodcast(ctx, { title: 'Third' }))).kind).toBe('rate_limited');
    // Forms send all fields, so an unchanged slug is not a new one.
    const saved = await editPodcast(ctx, id, { title: 'Still possible', slug: 'renamed-0' });
    expect(saved).toMatchObject({ title: 'Still possible', slug: 'renamed-0' });
  });

  it('slugs that are refused count for the limit, so that nobody can probe for used ones', async () => {
    await makePodcast(test.ctx, { slug: 'probed' });
    const owner = await makeUser(test.ctx);
    const { id } = await makePodcast(test.ctx, { owner });
    const ctx = test.contextFor({ kind: 'user', userId: owner.id });
    for (let n = 0; n < 60; n += 1) {
      const { details } = await refusalOf(editPodcast(ctx, id, { slug: 'probed' }));
      expect(details).toMatchObject([{ reason: 'slug_taken' }]);
    }
    const refusal = await refusalOf(editPodcast(ctx, id, { slug: 'probed' }));
    expect(refusal.kind).toBe('rate_limited');
  });

  it('slugs may come with a history', async () => {
    await makePodcast(test.ctx, { slug: 'today', previousSlugs: ['yesterday'] });
    expect(await refusalOf(makePodcast(test.ctx, { slug: 'yesterday' }))).toBeDefined();
    const attempt = makePodcast(test.ctx, { slug: 'clean', previousSlugs: ['yesterday'] });
    expect((await refusalOf(attempt)).details[0]?.reason).toBe('slug_taken');
    // No row was inserted.
    await makePodcast(test.ctx, { slug: 'clean' });
  });
});

describe('updatePodcast', () => {
  it('changes and announces nothing if the values are the same', async () => {
    const podcast = await makePodcast(test.ctx, {
      otherCategories: [{ category: 'Arts', subcategory: 'Books' }],
    });
    const seen = async () => {
      const { rows } = await test.database.pool.query(
        `select revision, updated_at, (select count(*) from change_events where podcast_id = $1) as events
          from podcasts where id = $1`,
        [podcast.id],
      );
      return rows[0];
    };
    const announced: string[] = [];
    const stop = test.ctx.announcements.subscribe({
      onChange: (id) => void announced.push(id),
      onGap: () => {},
    });
    const before = await seen();
    test.clock.advance(60_000);
    const { id, accountId: _, guid, domain: __, status, createdAt, revision, ...fields } = podcast;
    expect(await updatePodcast(test.ctx, id, fields)).toEqual(podcast);
    expect(await seen()).toEqual(before);
    const renamed = await updatePodcast(test.ctx, id, { ...fields, title: 'Day Signals' });
    expect(renamed).toEqual({ ...podcast, title: 'Day Signals', revision: revision + 1 });
    await expect.poll(() => announced).toEqual([id]);
    stop();
  });
});

describe('createPodcast', () => {
  // FEED-10, PUB-2
  it('derives the GUID once from the first feed address', async () => {
    const podcast = await makePodcast(test.ctx, { slug: 'guided' });
    expect(podcast.guid).toBe(podcastGuid('http://test.local/feeds/guided.xml'));
    const renamed = await updatePodcast(test.ctx, podcast.id, { slug: 'renamed' });
    expect(renamed.guid).toBe(podcast.guid);
  });

  // PUB-3
  it('names every wrong field at once', async () => {
    const owner = await makeUser(test.ctx);
    const error = await refusalOf(
      createPodcast(test.ctx, {
        owner,
        slug: 'Bad',
        title: '',
        language: 'deutsch',
        timezone: 'Mars/Olympus',
        brandColor: '#ABCDEF',
        websiteUrl: 'javascript:alert(1)',
        ownerEmail: 'nobody',
      }),
    );
    const fields = error?.details.map((detail) => detail.field).sort();
    expect(fields).toEqual([
      'brand_color',
      'language',
      'owner_email',
      'slug',
      'timezone',
      'title',
      'website_url',
    ]);
  });

  it('requires the new address of a moved podcast', async () => {
    expect((await refusalOf(makePodcast(test.ctx, { status: 'moved' }))).details[0]?.field).toBe(
      'new_feed_url',
    );
  });
});

describe('status', () => {
  it('status is the same after a suspension as before', async () => {
    const podcast = await makePodcast(test.ctx, { status: 'draft' });
    const status = async () => (await getPodcast(test.ctx, podcast.id)).status;
    // A draft was never public, so nobody has downloaded it.
    expect((await refusalOf(suspendPodcast(test.ctx, podcast.id))).kind).toBe('invalid');
    await activatePodcast(test.ctx, podcast.id);
    expect(await status()).toBe('active');
    await pausePodcast(test.ctx, podcast.id);
    await suspendPodcast(test.ctx, podcast.id);
    expect(await status()).toBe('overage_suspended');
    await resumePodcast(test.ctx, podcast.id);
    expect(await status()).toBe('paused');
    await resumePodcast(test.ctx, podcast.id);
    expect(await status()).toBe('active');
    expect((await refusalOf(resumePodcast(test.ctx, podcast.id))).message).toContain('active');
  });
});

describe.each(['active', 'paused', 'moved'] as const)(
  'a suspension of a show that is %s',
  (before) => {
    const suspend = { operator: suspendPodcast, overage: suspendForOverage };
    const rowOf = async (id: string) => {
      const { rows } = await test.database.pool.query(
        'select status, suspended_for as "suspendedFor", paused_at as "pausedAt" from podcasts where id = $1',
        [id],
      );
      return rows[0];
    };

    // ACCT-8, STATE-2
    it.each(['operator', 'overage'] as const)(
      'a suspension by the %s leaves nothing behind',
      async (cause) => {
        const newFeedUrl = before === 'moved' ? 'https://new.example/feed.xml' : null;
        const owner = await makeUser(test.ctx);
        const { id } = await makePodcast(test.ctx, { owner, status: before, newFeedUrl });
        const row = await rowOf(id);
        expect(row).toMatchObject({ status: before, suspendedFor: null });
        await suspend[cause](test.ctx, id);
        const suspended = { status: 'overage_suspended', suspendedFor: cause };
        expect(await rowOf(id)).toMatchObject({ ...suspended, pausedAt: row.pausedAt });
        // A second one by the service changes nothing.
        await suspendForOverage(test.ctx, id);
        expect(await rowOf(id)).toMatchObject(suspended);
        const asOwner = test.contextFor({ kind: 'user', userId: owner.id });
        for (const verb of [resumePodcast, activatePodcast, pausePodcast, suspendPodcast]) {
          expect(await refusalOf(verb(asOwner, id))).toBeDefined();
        }
        await endOverageSuspension(test.ctx, id);
        if (cause === 'operator') {
          expect(await rowOf(id)).toMatchObject(suspended);
          await resumePodcast(test.ctx, id);
        }
        expect(await rowOf(id)).toEqual(row);
      },
    );
  },
);

describe('new_feed_url', () => {
  it('new_feed_url is never the feed of the show itself, which would lead to itself', async () => {
    const own = 'http://test.local/feeds/circle.xml';
    const podcast = await makePodcast(test.ctx, { slug: 'circle-first' });
    await updatePodcast(test.ctx, podcast.id, { slug: 'circle' });
    const wrong = [own, `${own}?page=1`, 'http://TEST.local/feeds/circle-first.xml'];
    for (const newFeedUrl of wrong) {
      const error = await refusalOf(updatePodcast(test.ctx, podcast.id, { newFeedUrl }));
      expect(error?.details[0]?.field).toBe('new_feed_url');
    }
    // Any path is served at the hosts that own domains lead to, too.
    const installation = { ...test.ctx.installation, domainTarget: ['edge.test', '203.0.113.7'] };
    for (const place of installation.domainTarget) {
      const newFeedUrl = `https://${place}/feeds/circle.xml`;
      const moved = updatePodcast({ ...test.ctx, installation }, podcast.id, { newFeedUrl });
      expect((await refusalOf(moved))?.details[0]?.field).toBe('new_feed_url');
    }
    const made = makePodcast(test.ctx, {
      slug: 'circle-2',
      newFeedUrl: own.replace('.xml', '-2.xml'),
    });
    expect((await refusalOf(made)).details[0]?.field).toBe('new_feed_url');
    const later = 'http://test.local/feeds/circle-later.xml';
    await updatePodcast(test.ctx, podcast.id, { newFeedUrl: later });
    const renamed = await refusalOf(updatePodcast(test.ctx, podcast.id, { slug: 'circle-later' }));
    expect(renamed?.details[0]?.field).toBe('new_feed_url');
    // Another show of ours may take its place.
    const heir = await makePodcast(test.ctx, { slug: 'heir' });
    await updatePodcast(test.ctx, podcast.id, {
      newFeedUrl: `http://test.local/feeds/${heir.slug}.xml`,
    });
  });

  it('never redirects two shows to each other, also when moved at once', async () => {
    const feedOf = ({ slug }: { slug: string }) => `http://test.local/feeds/${slug}.xml`;
    const [one, two, three] = await Promise.all([1, 2, 3].map(() => makePodcast(test.ctx)));
    const move = (from: { id: string }, to: { slug: string }) =>
      updatePodcast(test.ctx, from.id, { newFeedUrl: feedOf(to) });
    const both = await Promise.allSettled([move(one!, two!), move(two!, one!)]);
    expect(both.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { details: [{ field: 'new_feed_url' }] } },
    ]);
    await updatePodcast(test.ctx, two!.id, { newFeedUrl: null });
    await move(one!, two!);
    await move(two!, three!);
    expect(await fieldsRefused(move(three!, one!))).toBe('new_feed_url');
    // Other changes to a show do not check where its feed leads.
    await updatePodcast(test.ctx, three!.id, { title: 'Three' });
  });
});

describe('permissions', () => {
  it('permissions are those of the role, and a podcast does not exist for others', async () => {
    const podcast = await makePodcast(test.ctx);
    const may = async (userId: string, action: Action) => {
      const ctx = test.contextFor({ kind: 'user', userId });
      return await authorize(ctx, action, { podcastId: podcast.id }).then(
        () => 'yes',
        ({ kind }: DomainError) => kind,
      );
    };
    const add = async (role: 'admin' | 'cohost' | 'custom', more = {}) => {
      const { id: userId } = await makeUser(test.ctx);
      await addMember(test.ctx, { podcastId: podcast.id, userId, role, ...more });
      return userId;
    };
    const admin = await add('admin');
    const cohost = await add('cohost');
    const custom = await add('custom', { roleName: 'Clerk', capabilities: ['show.settings'] });
    const stranger = (await makeUser(test.ctx)).id;
    expect(await may(admin, 'podcast.edit')).toBe('yes');
    expect(await may(cohost, 'episode.edit')).toBe('yes');
    expect(await may(cohost, 'podcast.edit')).toBe('forbidden');
    expect(await may(custom, 'podcast.edit')).toBe('yes');
    expect(await may(custom, 'episode.edit')).toBe('forbidden');
    expect(await may(stranger, 'episode.edit')).toBe('not_found');
  });

  // ACCT-16
  it.each([
    ['owner', {}],
    ['custom', {}],
    ['custom', { roleName: 'X', capabilities: ['show.move_feed'] }],
    ['editor', { roleName: 'X' }],
  ] as const)('refuses the membership %s %j', async (role, more) => {
    const podcast = await makePodcast(test.ctx);
    const { id: userId } = await makeUser(test.ctx);
    const attempt = addMember(test.ctx, { podcastId: podcast.id, userId, role, ...more });
    expect((await refusalOf(attempt)).kind).toBe('invalid');
  });
});
