import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { makeEpisode, makePodcast } from '../../../../test/make.ts';
import { transact } from '../../foundation/context.ts';
import { attachImage } from '../images/index.ts';
import { activatePodcast, type Podcast } from '../podcasts/index.ts';
import {
  addPerson,
  listCredits,
  listRoster,
  type PeoplePosition,
  type Person,
  setCredits,
} from './index.ts';

let test: TestContext;
let show: Podcast;
let ana: Person;
let bo: Person;
let cy: Person;

beforeAll(async () => {
  test = await createTestContext();
  show = await makePodcast(test.ctx);
  const background = '#224466';
  const bytes = await sharp({ create: { width: 600, height: 600, channels: 3, background } })
    .png()
    .toBuffer();
  const photo = await attachImage(test.ctx, { podcastId: show.id, bytes });
  ana = await addPerson(test.ctx, {
    podcastId: show.id,
    name: 'Ana',
    bio: 'Listens at night.',
    linkUrl: 'https://ana.example/',
    photoId: photo.id,
  });
  bo = await addPerson(test.ctx, { podcastId: show.id, name: 'Bo', role: 'guest', roster: false });
  cy = await addPerson(test.ctx, { podcastId: show.id, name: 'Cy', role: 'editor' });
});
afterAll(() => test[Symbol.asyncDispose]());

const whole = { after: undefined, limit: 20 };
const inAnHour = () => new Date(test.clock.now().getTime() + 3_600_000);

describe('the roster', () => {
  it('the roster is everyone who stands on it, in order', async () => {
    const { items, next } = await listRoster(test.ctx, show.id, whole);
    expect(items.map(({ name, role, group }) => [name, role, group])).toEqual([
      ['Ana', 'host', 'cast'],
      ['Cy', 'editor', 'cast'],
    ]);
    expect(items[0]).toMatchObject({ id: ana.id, bio: 'Listens at night.' });
    expect(items[0]?.photo?.contentType).toBe('image/png');
    expect(next).toBeUndefined();
  });

  it('the roster is read in pages, each starting where the last one ended', async () => {
    const first = await listRoster(test.ctx, show.id, { after: undefined, limit: 1 });
    const second = await listRoster(test.ctx, show.id, { after: first.next, limit: 1 });
    expect([...first.items, ...second.items].map(({ name }) => name)).toEqual(['Ana', 'Cy']);
    expect(second.next).toBeUndefined();
  });

  it('shows no photo while its address does not work', async () => {
    const draft = await makePodcast(test.ctx, { status: 'draft' });
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
      .jpeg()
      .toBuffer();
    const photo = await attachImage(test.ctx, { podcastId: draft.id, bytes });
    await addPerson(test.ctx, { podcastId: draft.id, name: 'Di', photoId: photo.id, bio: 'x' });
    const read = async () => (await listRoster(test.ctx, draft.id, whole)).items[0];
    expect(await read()).toMatchObject({ photo: null, bio: 'x' });
    await activatePodcast(test.ctx, draft.id);
    expect((await read())?.photo).toEqual({ id: photo.id, contentType: 'image/jpeg' });
  });
});

describe('credits', () => {
  // KEYED-14, PUB-17
  it('credits are the episode’s own, each with its role there', async () => {
    const { id } = await makeEpisode(test.ctx, show);
    await setCredits(test.ctx, id, [
      { personId: bo.id },
      { personId: ana.id, role: 'Narrator', group: 'Writing' },
      { personId: ana.id, role: 'host' },
    ]);
    const { items } = await listCredits(test.ctx, id, whole);
    expect(items.map(({ name, role, group }) => [name, role, group])).toEqual([
      ['Bo', 'guest', 'cast'],
      ['Ana', 'narrator', 'writing'],
      ['Ana', 'host', 'cast'],
    ]);
    expect(new Set(items.map((item) => item.id)).size).toBe(3);
  });

  // KEYED-16
  it('credits refuse roles and groups outside the taxonomy', async () => {
    const { id } = await makeEpisode(test.ctx, show);
    const credits = [{ personId: ana.id }, { personId: bo.id, role: 'boss', group: 'crew' }];
    await expect(setCredits(test.ctx, id, credits)).rejects.toMatchObject({
      kind: 'invalid',
      details: [{ field: 'people[1].role' }, { field: 'people[1].group' }],
    });
    const person = { podcastId: show.id, name: 'Eve', role: 'boss' };
    await expect(addPerson(test.ctx, person)).rejects.toMatchObject({
      details: [{ field: 'role' }],
    });
  });

  // Needs two connections; the embedded database has one.
  it.skipIf(process.env['TEST_DATABASE'] !== 'postgres')(
    'credits are refused while their episode is deleted',
    async () => {
      const { id } = await makeEpisode(test.ctx, show);
      const deleted = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const deletion = transact(test.ctx, async (tx) => {
        await tx.db.deleteFrom('episodes').where('id', '=', id).execute();
        deleted.resolve();
        await gate.promise;
      });
      await deleted.promise;
      const refused = expect(setCredits(test.ctx, id, [{ personId: ana.id }])).rejects;
      const outcome = refused.toMatchObject({ kind: 'not_found' });
      const waiting = `select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await test.database.pool.query(waiting)).rowCount).toBe(1);
      gate.resolve();
      await Promise.all([deletion, outcome]);
    },
  );

  // KEYED-14, PUB-17
  it('credits are the roster if the episode names nobody', async () => {
    const { id } = await makeEpisode(test.ctx, show);
    const { items } = await listCredits(test.ctx, id, whole);
    expect(items.map((item) => item.id)).toEqual([ana.id, cy.id]);
  });

  it('credits are read in pages, of own credits and of the roster', async () => {
    const named = await makeEpisode(test.ctx, show);
    await setCredits(test.ctx, named.id, [{ personId: cy.id }, { personId: bo.id }]);
    const unnamed = await makeEpisode(test.ctx, show);
    for (const [{ id }, expected] of [
      [named, ['Cy', 'Bo']],
      [unnamed, ['Ana', 'Cy']],
    ] as const) {
      const names: string[] = [];
      let after: PeoplePosition | undefined;
      do {
        const page = await listCredits(test.ctx, id, { after, limit: 1 });
        names.push(...page.items.map(({ name }) => name));
        after = page.next;
      } while (after !== undefined);
      expect(names).toEqual(expected);
    }
  });

  it.each(['draft', 'scheduled', 'published'] as const)(
    'credits of one that is %s show bio and photo only once it is public',
    async (status) => {
      const scheduled = status === 'scheduled' ? { scheduledFor: inAnHour() } : {};
      const { id } = await makeEpisode(test.ctx, show, { status, ...scheduled });
      const read = async () => (await listCredits(test.ctx, id, whole)).items[0];
      const shown = { name: 'Ana', linkUrl: 'https://ana.example/' };
      const hidden = { ...shown, bio: null, photo: null };
      const person = { ...shown, bio: 'Listens at night.', photo: { contentType: 'image/png' } };
      expect(await read()).toMatchObject(status === 'published' ? person : hidden);
      if (status !== 'scheduled') return;
      test.clock.advance(3_600_000);
      expect(await read()).toMatchObject(person);
    },
  );
});
