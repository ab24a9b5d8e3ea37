import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast, makeUser } from '../../../../test/make.ts';
import { refusalOf } from '../../../../test/refusal-of.ts';
import { type EpisodeStatus, episodeStatuses } from '../../foundation/enumerations.ts';
import { DomainError } from '../../foundation/errors.ts';
import { addMember, type Podcast } from '../podcasts/index.ts';
import {
  archiveEpisode,
  createEpisode,
  deleteEpisode,
  editEpisode,
  getEpisode,
  type NewEpisode,
  publishEpisode,
  scheduleEpisode,
  unpublishEpisode,
  updateEpisode,
} from './index.ts';

let test: TestContext;
let podcast: Podcast;

beforeAll(async () => {
  test = await createTestContext();
  podcast = await makePodcast(test.ctx);
});
afterAll(() => test[Symbol.asyncDispose]());

const hourMs = 3_600_000;
const later = () => new Date(test.clock.now().getTime() + hourMs);

/** An episode in that state. */
async function makeIn(status: EpisodeStatus) {
  const episode = await makeEpisode(test.ctx, podcast, {
    status: status === 'archived' ? 'draft' : status,
    ...(status === 'scheduled' ? { scheduledFor: later() } : {}),
  });
  return status === 'archived' ? archiveEpisode(test.ctx, episode.id) : episode;
}

const act: Record<string, (id: string) => Promise<unknown>> = {
  draft: (id) => unpublishEpisode(test.ctx, id),
  scheduled: (id) => scheduleEpisode(test.ctx, id, new Date(later().getTime() + hourMs)),
  published: (id) => publishEpisode(test.ctx, id),
  archived: (id) => archiveEpisode(test.ctx, id),
};

const allowed: Record<EpisodeStatus, readonly string[]> = {
  pending_confirmation: ['draft', 'scheduled', 'published', 'archived'],
  draft: ['scheduled', 'published', 'archived'],
  scheduled: ['draft', 'scheduled', 'published', 'archived'],
  published: ['draft', 'archived'],
  archived: ['draft'],
};

// STATE-5
describe('transitions', () => {
  for (const from of episodeStatuses) {
    for (const to of Object.keys(act)) {
      if (from === to) continue;
      const may = allowed[from].includes(to);
      it(`${from} → ${to} is ${may ? 'done' : 'refused'}`, async () => {
        const episode = await makeIn(from);
        const attempt = act[to]?.(episode.id);
        if (may) {
          await attempt;
          expect((await getEpisode(test.ctx, episode.id)).status).toBe(to);
        } else {
          await expect(attempt).rejects.toThrow(DomainError);
          expect((await getEpisode(test.ctx, episode.id)).status).toBe(from);
        }
      });
    }
  }
});

describe('publication', () => {
  // STATE-8
  it('keeps the first date when published again, unless one is given', async () => {
    const first = await makeEpisode(test.ctx, podcast);
    await unpublishEpisode(test.ctx, first.id);
    const again = await publishEpisode(test.ctx, first.id);
    expect(again.publishedAt).toEqual(first.publishedAt);
    await unpublishEpisode(test.ctx, first.id);
    const publishedAt = new Date('2020-01-02T03:04:05.678Z');
    const dated = await publishEpisode(test.ctx, first.id, { publishedAt });
    expect(dated.publishedAt).toEqual(publishedAt);
  });

  // STATE-5
  it('publication is put off or brought forward while it is scheduled', async () => {
    const at = later();
    const { id } = await makeEpisode(test.ctx, podcast, { status: 'scheduled', scheduledFor: at });
    for (const ms of [3_600_000, -1_000]) {
      const scheduledFor = new Date(at.getTime() + ms);
      const again = await scheduleEpisode(test.ctx, id, scheduledFor);
      expect(again).toMatchObject({ status: 'scheduled', scheduledFor, publishedAt: null });
    }
  });

  // STATE-8
  it('publication of an episode that was public and is scheduled anew keeps its date as a draft', async () => {
    const first = await makeEpisode(test.ctx, podcast);
    await unpublishEpisode(test.ctx, first.id);
    await scheduleEpisode(test.ctx, first.id, later());
    const draft = await unpublishEpisode(test.ctx, first.id);
    expect(draft).toMatchObject({ status: 'draft', publishedAt: first.publishedAt });
  });

  it('an episode that waited for a confirmation is published with its original date, or now if that is to come', async () => {
    const original = new Date('2019-05-06T07:08:09Z');
    for (const [publishedAt, expected] of [
      [original, original],
      [later(), test.clock.now()],
    ] as const) {
      const waiting = { status: 'pending_confirmation', publishedAt } as const;
      const { id } = await makeEpisode(test.ctx, podcast, waiting);
      expect((await publishEpisode(test.ctx, id)).publishedAt).toEqual(expected);
    }
  });

  it('publication is announced, and so is its end, but no repetition', async () => {
    const { id } = await makeIn('draft');
    const countAnnounced = async () => {
      const announced = `select from change_events
        where episode_id = $1 and kind = 'episode.status_changed'`;
      return (await test.database.pool.query(announced, [id])).rowCount;
    };
    const before = (await countAnnounced()) ?? 0;
    await publishEpisode(test.ctx, id);
    expect(await countAnnounced()).toBe(before + 1);
    await publishEpisode(test.ctx, id);
    expect(await countAnnounced()).toBe(before + 1);
    await unpublishEpisode(test.ctx, id);
    expect(await countAnnounced()).toBe(before + 2);
  });

  it('refuses a date in the future', async () => {
    const draft = await makeIn('draft');
    const attempt = publishEpisode(test.ctx, draft.id, { publishedAt: later() });
    await expect(attempt).rejects.toThrow('future');
  });

  // STATE-7
  it('a publication happens at its second, and counts as published from then on', async () => {
    const at = later();
    const episode = await makeEpisode(test.ctx, podcast, { status: 'scheduled', scheduledFor: at });
    test.clock.set(new Date(at.getTime() - 1));
    expect((await getEpisode(test.ctx, episode.id)).status).toBe('scheduled');
    test.clock.set(at);
    const out = await getEpisode(test.ctx, episode.id);
    expect(out).toMatchObject({ status: 'published', publishedAt: at, scheduledFor: null });
    await expect(scheduleEpisode(test.ctx, episode.id, later())).rejects.toThrow('published');
    const draft = await unpublishEpisode(test.ctx, episode.id);
    expect(draft).toMatchObject({ status: 'draft', publishedAt: at });
  });
});

describe('new and changed episodes', () => {
  // PUB-14
  it('numbers episodes one after the other, also when made at once', async () => {
    const show = await makePodcast(test.ctx);
    const made = await Promise.all([1, 2, 3, 4, 5].map(() => makeEpisode(test.ctx, show)));
    expect(made.map((episode) => episode.episodeNumber).sort()).toEqual([1, 2, 3, 4, 5]);
    const given = await makeEpisode(test.ctx, show, { episodeNumber: 40 });
    expect((await makeEpisode(test.ctx, show)).episodeNumber).toBe(given.episodeNumber + 1);
  });

  it('a new episode is a draft for members who may not publish or schedule', async () => {
    const { id: userId } = await makeUser(test.ctx);
    const capabilities = ['episodes.view_all', 'episodes.create'] as const;
    const role = { role: 'custom', roleName: 'Writer', capabilities } as const;
    await addMember(test.ctx, { podcastId: podcast.id, userId, ...role });
    const ctx = test.contextFor({ kind: 'user', userId });
    const make = (slug: string, more: Partial<NewEpisode> = {}) =>
      createEpisode(ctx, { podcastId: podcast.id, slug, title: 'By a writer', ...more });
    await expect(make('out', { status: 'published' })).rejects.toThrow('episodes.publish');
    const scheduled = make('soon', { status: 'scheduled', scheduledFor: later() });
    await expect(scheduled).rejects.toThrow('episodes.publish');
    expect((await make('written')).status).toBe('draft');
  });

  it('names every wrong field at once and makes nothing', async () => {
    const attempt = createEpisode(test.ctx, {
      podcastId: podcast.id,
      slug: 'latest',
      title: ' ',
      season: 10_000,
    });
    const error = await attempt.then(
      () => undefined,
      (cause: DomainError) => cause,
    );
    expect(error?.details.map((detail) => detail.field)).toEqual(['slug', 'title', 'season']);
  });

  it('an episode gets a random number where many have its slug', async () => {
    const show = await makePodcast(test.ctx);
    const input = { slug: 'news', onTakenSlug: 'number' } as const;
    const slugs: string[] = [];
    for (let n = 0; n < 22; n += 1) slugs.push((await makeEpisode(test.ctx, show, input)).slug);
    expect([slugs[0], slugs[1], slugs[19]]).toEqual(['news', 'news-2', 'news-20']);
    for (const slug of slugs.slice(20)) expect(slug).toMatch(/^news-\d{4,6}$/);
  });

  // COUNT-1
  it('keeps an old slug, refuses a taken one, and keeps the audio address', async () => {
    const show = await makePodcast(test.ctx);
    const first = await makeEpisode(test.ctx, show, { slug: 'one' });
    const second = await makeEpisode(test.ctx, show, { slug: 'two' });
    const renamed = await updateEpisode(test.ctx, first.id, { slug: 'uno' });
    expect(renamed).toMatchObject({ slug: 'uno', mediaName: 'one' });
    await expect(updateEpisode(test.ctx, second.id, { slug: 'one' })).rejects.toThrow('one');
    const back = await updateEpisode(test.ctx, first.id, { slug: 'one' });
    expect(back.slug).toBe('one');
    await test.database.pool.query(
      `insert into episode_slugs (podcast_id, slug, episode_id, created_at)
       select $1, 'slug-' || n, $2, now() from generate_series(1, 198) n`,
      [show.id, first.id],
    );
    await expect(updateEpisode(test.ctx, first.id, { slug: 'slug-199' })).rejects.toThrow('200');
    expect((await updateEpisode(test.ctx, first.id, { slug: 'slug-198' })).slug).toBe('slug-198');
    const numbered = await makeEpisode(test.ctx, show, { slug: 'two', onTakenSlug: 'number' });
    expect(numbered.slug).toBe('two-2');
  });

  // STATE-15
  it('keeps the last twenty slugs for the owner, and counts those that a user takes', async () => {
    const [owner, member] = [await makeUser(test.ctx), await makeUser(test.ctx)];
    const show = await makePodcast(test.ctx, { owner });
    const { id } = await makeEpisode(test.ctx, show, { slug: 'slug-1' });
    await addMember(test.ctx, { podcastId: show.id, userId: member.id, role: 'editor' });
    await test.database.pool.query(
      `insert into episode_slugs (podcast_id, slug, episode_id, created_at)
       select $1, 'slug-' || n, $2, now() from generate_series(2, 179) n`,
      [show.id, id],
    );
    const rename = (slug: string, { id: userId }: { id: string }) =>
      editEpisode(test.contextFor({ kind: 'user', userId }), id, { slug });
    await rename('slug-180', member);
    expect((await refusalOf(rename('slug-181', member))).details).toMatchObject([
      { field: 'slug', messageKey: 'slugs_of_owner' },
    ]);
    expect((await rename('slug-181', owner)).slug).toBe('slug-181');
    for (let n = 2; n < 120; n += 1) await rename(`slug-${n}`, member);
    expect((await refusalOf(rename('slug-1', member))).kind).toBe('rate_limited');
    // Forms may send all fields.
    expect((await rename('slug-119', member)).slug).toBe('slug-119');
  });

  // KEYED-8, PUB-10
  it('sanitizes show notes on the way in', async () => {
    const episode = await makeEpisode(test.ctx, podcast, {
      showNotesHtml: '<p onclick="x()">Hi<script>alert(1)</script></p>',
    });
    expect(episode.showNotesHtml).toBe('<p>Hi</p>');
    expect(episode.showNotes).toBe('Hi');
  });

  it('sanitizes show notes of many tags or references in a child process', async () => {
    const { ctx } = test;
    const run = vi.spyOn(ctx.processes, 'run');
    const episode = await makeEpisode(ctx, podcast, { showNotesHtml: '<p>a</p>'.repeat(150) });
    expect(run).not.toHaveBeenCalled();
    for (const [showNotesHtml, jobs] of [
      ['<p>a</p>'.repeat(151), 1],
      ['&'.repeat(301), 2],
    ] as const) {
      await updateEpisode(ctx, episode.id, { showNotesHtml });
      expect(run).toHaveBeenCalledTimes(jobs);
    }
    expect((await getEpisode(ctx, episode.id)).showNotes).toBe('&'.repeat(301));
    await makeEpisode(ctx, podcast, { showNotesHtml: '<br>'.repeat(301) });
    expect(run).toHaveBeenCalledTimes(3);
    run.mockRestore();
  });

  it('refuses show notes that are too long, also after escaping alone', async () => {
    for (const showNotesHtml of ['x'.repeat(200_001), '&'.repeat(100_000)]) {
      const attempt = makeEpisode(test.ctx, podcast, { showNotesHtml });
      await expect(attempt).rejects.toThrow('at most 200000 characters');
    }
  });

  it('an episode is deleted', async () => {
    const episode = await makeEpisode(test.ctx, podcast);
    await deleteEpisode(test.ctx, episode.id);
    await expect(getEpisode(test.ctx, episode.id)).rejects.toThrow('no such episode');
  });
});
