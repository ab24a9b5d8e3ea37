import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import type { User } from '../../foundation/accounts/index.ts';
import type { Context } from '../../foundation/context.ts';
import { type EpisodeStatus, episodeStatuses } from '../../foundation/enumerations.ts';
import { attachTone } from '../audio/index.ts';
import { addPerson, setCredits } from '../people/index.ts';
import { addMember, type Podcast } from '../podcasts/index.ts';
import {
  archiveEpisode,
  type Episode,
  type EpisodeListPosition,
  type EpisodeListQuery,
  listEpisodes,
  publishEpisode,
  scheduleEpisode,
  unpublishEpisode,
} from './index.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test[Symbol.asyncDispose]());

const hourMs = 3_600_000;
const inHours = (hours: number) => new Date(test.clock.now().getTime() + hours * hourMs);

const list = (podcast: Podcast, query: Partial<EpisodeListQuery> = {}, ctx = test.ctx) =>
  listEpisodes(ctx, {
    podcastId: podcast.id,
    status: undefined,
    after: undefined,
    limit: 20,
    ...query,
  });
const slugs = async (podcast: Podcast, query: Partial<EpisodeListQuery> = {}, ctx = test.ctx) =>
  (await list(podcast, query, ctx)).items.map(({ slug }) => slug);

/** What a co-host sees: the episodes that credit them. */
async function actAsCohost({ id: podcastId }: Podcast, { id: userId }: User): Promise<Context> {
  await addMember(test.ctx, { podcastId, userId, role: 'cohost' });
  return test.contextFor({ kind: 'user', userId });
}

/** One of each status, and one that is due though nothing has run. */
async function makeAll(podcast: Podcast): Promise<Record<EpisodeStatus | 'due', Episode>> {
  const make = (slug: string, hours: number, status: EpisodeStatus = 'draft', at?: number) =>
    makeEpisode(test.ctx, podcast, {
      slug: slug.replace('_', '-'),
      status,
      createdAt: inHours(hours),
      ...(status === 'scheduled' ? { scheduledFor: inHours(at ?? 1) } : {}),
      ...(status === 'published' ? { publishedAt: inHours(at ?? -1) } : {}),
    });
  const made = {
    pending_confirmation: await make('pending_confirmation', -5, 'pending_confirmation'),
    draft: await make('draft', -4),
    scheduled: await make('scheduled', -9, 'scheduled', 2),
    published: await make('published', -9, 'published', -3),
    archived: await make('archived', -9, 'published', -6),
    due: await make('due', -9, 'scheduled', -1),
  };
  await archiveEpisode(test.ctx, made.archived.id);
  return made;
}

describe('the list of a show’s episodes', () => {
  // REQ-20
  it('the list of a show’s episodes is newest first: by publication, else schedule, else creation', async () => {
    const podcast = await makePodcast(test.ctx);
    await makeAll(podcast);
    expect(await slugs(podcast)).toEqual([
      'scheduled',
      'due',
      'published',
      'draft',
      'pending-confirmation',
      'archived',
    ]);
  });

  it.each(
    episodeStatuses.map((status) => [
      status,
      status === 'published' ? ['due', 'published'] : [status.replace('_', '-')],
    ]),
  )('filters by %s as it is now', async (status, expected) => {
    const podcast = await makePodcast(test.ctx);
    await makeAll(podcast);
    const { items } = await list(podcast, { status: status as EpisodeStatus });
    expect(items.map(({ slug }) => slug)).toEqual(expected);
    expect(new Set(items.map((item) => item.status))).toEqual(new Set([status]));
  });

  // STATE-7
  it('the list of a show’s episodes shows what is due as published, at its time', async () => {
    const podcast = await makePodcast(test.ctx);
    const { due } = await makeAll(podcast);
    const { items } = await list(podcast);
    const found = items.find(({ id }) => id === due.id);
    expect(found).toMatchObject({
      status: 'published',
      publishedAt: inHours(-1),
      scheduledFor: null,
      rssGuid: due.id,
    });
  });

  it('gives every field but texts and media', async () => {
    const podcast = await makePodcast(test.ctx);
    const episode = await makeEpisode(test.ctx, podcast, {
      slug: 'one',
      title: 'One',
      subtitle: 'Sub',
      season: 2,
      episodeType: 'bonus',
      status: 'draft',
    });
    const seen = {
      id: episode.id,
      podcastId: podcast.id,
      slug: 'one',
      title: 'One',
      subtitle: 'Sub',
      status: 'draft',
      season: 2,
      episodeNumber: 1,
      episodeType: 'bonus',
      publishedAt: null,
      scheduledFor: null,
      createdAt: test.clock.now(),
      durationMs: null as number | null,
      guidSha256: null,
      enclosureSha256: null,
      rssGuid: null,
    };
    expect((await list(podcast)).items).toEqual([seen]);
    await attachTone(test.ctx, episode.id, 3);
    const [item] = (await list(podcast)).items;
    expect(Math.round((item?.durationMs ?? 0) / 1000)).toBe(3);
    expect(item).toEqual({ ...seen, durationMs: item?.durationMs });
  });

  it('the list of a show’s episodes knows only its own show', async () => {
    const podcast = await makePodcast(test.ctx);
    await makeAll(await makePodcast(test.ctx));
    expect(await slugs(podcast)).toEqual([]);
  });
});

describe('the list of what credits one user', () => {
  it('holds those episodes alone, once each, in the same order and by status', async () => {
    const podcast = await makePodcast(test.ctx);
    const { draft, due, scheduled, published } = await makeAll(podcast);
    const user = await makeUser(test.ctx);
    const person = { podcastId: podcast.id, userId: user.id };
    const bo = await addPerson(test.ctx, { ...person, name: 'Bo' });
    const alias = await addPerson(test.ctx, { ...person, name: 'DJ Bo', roster: false });
    await setCredits(test.ctx, published.id, [
      { personId: bo.id, role: 'host' },
      { personId: bo.id, role: 'editor' },
      { personId: alias.id },
    ]);
    await setCredits(test.ctx, draft.id, [{ personId: alias.id }]);
    await setCredits(test.ctx, due.id, [{ personId: bo.id }]);
    const stranger = await addPerson(test.ctx, { podcastId: podcast.id, name: 'Cy' });
    await setCredits(test.ctx, scheduled.id, [{ personId: stranger.id }]);
    const cohost = await actAsCohost(podcast, user);
    expect(await slugs(podcast, {}, cohost)).toEqual(['due', 'published', 'draft']);
    expect(await slugs(podcast, { limit: 1 }, cohost)).toEqual(['due']);
    expect(await slugs(podcast, { status: 'published' }, cohost)).toEqual(['due', 'published']);
  });

  // AUTH-12, KEYED-14
  it('the list of what credits one user is empty for one who is on the roster alone, or a person of another show', async () => {
    const podcast = await makePodcast(test.ctx);
    const { draft } = await makeAll(podcast);
    const user = await makeUser(test.ctx);
    await addPerson(test.ctx, { podcastId: podcast.id, name: 'Bo', userId: user.id });
    const other = await makePodcast(test.ctx);
    const elsewhere = await makeEpisode(test.ctx, other);
    const there = await addPerson(test.ctx, { podcastId: other.id, name: 'Bo', userId: user.id });
    await setCredits(test.ctx, elsewhere.id, [{ personId: there.id }]);
    expect(draft.podcastId).toBe(podcast.id);
    expect(await slugs(podcast, {}, await actAsCohost(podcast, user))).toEqual([]);
  });
});

/** What happens between two pages. */
type Event =
  | { readonly do: 'create'; readonly status: EpisodeStatus; readonly hours: number }
  | { readonly do: 'publish' | 'unpublish' | 'archive' | 'reschedule'; readonly nth: number };

const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    do: fc.constant('create' as const),
    status: fc.constantFrom<EpisodeStatus>('draft', 'scheduled', 'published'),
    hours: fc.integer({ min: 1, max: 48 }),
  }),
  fc.record({
    do: fc.constantFrom('publish' as const, 'unpublish', 'archive', 'reschedule'),
    nth: fc.nat({ max: 20 }),
  }),
);

async function happen(podcast: Podcast, episodes: readonly Episode[], what: Event): Promise<void> {
  if (what.do === 'create') {
    const { status, hours } = what;
    await makeEpisode(test.ctx, podcast, {
      status,
      createdAt: inHours(-hours),
      ...(status === 'scheduled' ? { scheduledFor: inHours(hours) } : {}),
      ...(status === 'published' ? { publishedAt: inHours(-hours) } : {}),
    });
    return;
  }
  const id = episodes[what.nth % episodes.length]?.id ?? '';
  const act = { publish: publishEpisode, unpublish: unpublishEpisode, archive: archiveEpisode };
  const acting =
    what.do === 'reschedule'
      ? scheduleEpisode(test.ctx, id, inHours(what.nth + 1))
      : act[what.do](test.ctx, id);
  // Some transitions are not allowed.
  await acting.catch(() => undefined);
}

/** The episode's place in the order; undefined if it is not in the list. */
async function placeOf(id: string): Promise<number | undefined> {
  const { rows } = await test.database.pool.query<{ listed_at: Date }>(
    'select listed_at from episodes where id::text = $1',
    [id],
  );
  return rows[0]?.listed_at.getTime();
}

describe('pages', () => {
  // REQ-19
  it('pages repeat no episode whatever happens, and miss none that kept its place', async () => {
    const step = fc.constantFrom(0, 1_000);
    const pages = fc.array(fc.array(event, { maxLength: 3 }), { maxLength: 6 });
    const limits = fc.integer({ min: 1, max: 3 });
    const hours = fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 4, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(hours, pages, limits, step, async (dates, acts, limit, stepMs) => {
        const podcast = await makePodcast(test.ctx);
        const before = [];
        for (const at of dates) {
          const scheduled = { status: 'scheduled' as const, scheduledFor: inHours(at) };
          const drafted = { status: 'draft' as const, createdAt: inHours(at) };
          before.push(await makeEpisode(test.ctx, podcast, at > 0 ? scheduled : drafted));
        }
        const seen: string[] = [];
        const moved = new Set<string>();
        let after: EpisodeListPosition | undefined;
        for (let page = 0; page === 0 || after !== undefined; page += 1) {
          const { items, next } = await list(podcast, { after, limit });
          seen.push(...items.map(({ id }) => id));
          after = next;
          for (const what of acts[page] ?? []) {
            test.clock.advance(stepMs);
            const id = what.do === 'create' ? '' : (before[what.nth % before.length]?.id ?? '');
            const place = await placeOf(id);
            await happen(podcast, before, what);
            if ((await placeOf(id)) !== place) moved.add(id);
          }
        }
        expect(seen).toHaveLength(new Set(seen).size);
        for (const { id } of before) if (!moved.has(id)) expect(seen).toContain(id);
      }),
      { numRuns: 40 },
    );
  });

  it('pages keep an episode that changes its status and not its place', async () => {
    const podcast = await makePodcast(test.ctx);
    const made: Episode[] = [];
    for (const hours of [1, 2, 3, 4, 5]) {
      const at = { createdAt: inHours(-hours), publishedAt: inHours(-hours) };
      const dates = hours % 2 === 0 ? at : { status: 'draft' as const, createdAt: at.createdAt };
      made.push(await makeEpisode(test.ctx, podcast, { slug: `no-${hours}`, ...dates }));
    }
    const page = await list(podcast, { limit: 1 });
    test.clock.advance(1_000);
    for (const { id } of made) await archiveEpisode(test.ctx, id);
    expect(await slugs(podcast, { after: page.next })).toEqual(['no-2', 'no-3', 'no-4', 'no-5']);
    for (const { id } of made) await unpublishEpisode(test.ctx, id);
    expect(await slugs(podcast, { after: page.next })).toEqual(['no-2', 'no-3', 'no-4', 'no-5']);
  });

  it('pages do not repeat a scheduled episode that is published by hand', async () => {
    const podcast = await makePodcast(test.ctx);
    const soon = { status: 'scheduled' as const, scheduledFor: inHours(3) };
    const first = await makeEpisode(test.ctx, podcast, { slug: 'first', ...soon });
    await makeEpisode(test.ctx, podcast, { slug: 'second', publishedAt: inHours(-2) });
    const page = await list(podcast, { limit: 1 });
    expect(page.items.map(({ slug }) => slug)).toEqual(['first']);
    await publishEpisode(test.ctx, first.id);
    expect(await slugs(podcast, { after: page.next })).toEqual(['second']);
    expect(await slugs(podcast)).toEqual(['first', 'second']);
  });
});
