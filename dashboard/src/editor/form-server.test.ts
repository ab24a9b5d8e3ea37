import { expect, it } from 'vitest';
import { settle } from '../../test/editor/fake-browser.ts';
import { FakeClock } from '../../test/editor/fake-clock.ts';
import { MemoryDraftStore } from '../../test/editor/memory-draft-store.ts';
import { ApiError } from '../api/errors.ts';
import type { Fields } from './fields.ts';
import { discardEdits, saveMine, takeTheirs } from './form-decisions.ts';
import { createFormServer, stateOf } from './form-server.ts';
import { SaveEngine } from './save-engine.ts';

interface Show {
  readonly revision: number;
  readonly fields: Fields;
}

/** A show on a server that confirms writes when the test says so, and the app's data of it. */
function setUp() {
  const start: Show = { revision: 1, fields: { title: 'Night', author: 'Ana' } };
  const world = { server: start, known: start, loads: 0, writes: [] as [Fields, number][] };
  let responses: (() => void)[] = [];
  const write = (fields: Fields) => {
    world.server = {
      revision: world.server.revision + 1,
      fields: { ...world.server.fields, ...fields },
    };
    return world.server;
  };
  const store = new MemoryDraftStore();
  function open() {
    const source = {
      fieldsOf: ({ fields }: Show) => fields,
      known: () => world.known,
      async load() {
        world.loads += 1;
        world.known = world.server;
        return world.server;
      },
      write(patch: Fields, { revision }: Show) {
        world.writes.push([patch, revision]);
        const refusal = { code: 'refused', message: 'It was not saved.' };
        if (revision !== world.server.revision) {
          const now = world.server.revision;
          return Promise.reject(new ApiError({ ...refusal, status: 412, revision: now }));
        }
        if (patch['title'] === 'refused' && patch['author'] === undefined) {
          const details = [{ field: 'title', message: 'not so' }];
          return Promise.reject(new ApiError({ ...refusal, status: 400, details }));
        }
        if (patch['title'] === 'too large') {
          return Promise.reject(new ApiError({ ...refusal, status: 413 }));
        }
        const written = write(patch);
        const { promise, resolve } = Promise.withResolvers<Show>();
        responses.push(() => resolve(written));
        return promise;
      },
      onSaved: (written: Show) => {
        world.known = written;
      },
    };
    const engine = new SaveEngine({
      key: { userId: 'ann', subjectId: 'form words' },
      initial: stateOf(source, world.known),
      mode: 'manual',
      server: createFormServer(source, world.known),
      store,
      tabs: {
        exclusively: (work) => work(),
        announce() {},
        onAnnounced() {},
        close() {},
      },
      clock: new FakeClock(),
    });
    void engine.start();
    return engine;
  }
  async function respond() {
    for (const give of responses) give();
    responses = [];
    await settle();
  }
  /** Somebody else saves, and an event tells the page. */
  async function change(fields: Fields, engine: SaveEngine) {
    world.known = write(fields);
    await engine.noticeRevision(world.known.revision);
    await settle();
  }
  async function save(engine: SaveEngine) {
    void engine.update();
    await settle();
  }
  return { world, open, respond, change, write, save };
}

it('text that is typed during a save stays, and is saved next over the new revision', async () => {
  const { world, open, respond, save } = setUp();
  const engine = open();
  engine.edit({ title: 'Mine' });
  await save(engine);
  engine.edit({ title: 'Mine again' });
  await respond();
  expect(world.server.fields['title']).toBe('Mine');
  expect(engine.state).toMatchObject({ values: { title: 'Mine again' }, dirty: true, revision: 2 });
  await save(engine);
  await respond();
  expect(world.writes.at(-1)).toEqual([{ title: 'Mine again' }, 2]);
  expect(engine.state).toMatchObject({ status: 'saved', dirty: false });
  expect(world.loads).toBe(0);
});

it('an event during typing neither replaces the text nor lets it overwrite others', async () => {
  const { world, open, change, save } = setUp();
  const engine = open();
  engine.edit({ title: 'Mine' });
  await change({ title: 'Theirs' }, engine);
  expect(engine.state).toMatchObject({
    status: 'overlapping',
    values: { title: 'Mine' },
    overlaps: { title: ['Theirs'] },
  });
  await save(engine);
  expect(world.writes).toEqual([]);
  expect(world.server.fields['title']).toBe('Theirs');
});

it('a save finds the change of the same field without an event', async () => {
  const { world, open, write, save } = setUp();
  const engine = open();
  engine.edit({ title: 'Mine' });
  write({ title: 'Theirs' });
  await save(engine);
  expect(engine.state.overlaps).toEqual({ title: ['Theirs'] });
  expect(world.server.fields['title']).toBe('Theirs');
});

it('a conflict is resolved by saving one’s own text or adopting the other one', async () => {
  const { world, open, change, respond } = setUp();
  const engine = open();
  engine.edit({ title: 'Mine' });
  await change({ title: 'Theirs' }, engine);
  void saveMine(engine);
  await settle();
  await respond();
  expect(world.server.fields['title']).toBe('Mine');
  expect(engine.state).toMatchObject({ status: 'saved', dirty: false });

  engine.edit({ title: 'Mine again', author: 'Ann' });
  await change({ title: 'Theirs again' }, engine);
  await takeTheirs(engine);
  const values = { title: 'Theirs again', author: 'Ann' };
  expect(engine.state).toMatchObject({ values, overlaps: {}, dirty: true });
  await discardEdits(engine);
  expect(engine.state).toMatchObject({ values: { author: 'Ana' }, dirty: false });
});

it('a refused field is sent again together with the fields that it depends on', async () => {
  const { world, open, respond, save } = setUp();
  const engine = open();
  engine.edit({ title: 'refused' });
  await save(engine);
  expect(engine.state).toMatchObject({ status: 'refused', problems: { title: 'not so' } });
  engine.edit({ author: 'Bo' });
  await save(engine);
  await respond();
  expect(world.writes.at(-1)).toEqual([{ title: 'refused', author: 'Bo' }, 1]);
  expect(engine.state).toMatchObject({ status: 'saved', problems: {} });
});

it('a text that is too large is refused, and does not wait for another time', async () => {
  const { open, save } = setUp();
  const engine = open();
  engine.edit({ title: 'too large' });
  await save(engine);
  const problems = { title: 'It was not saved.' };
  expect(engine.state).toMatchObject({ status: 'refused', problems });
});

it('a form loads what another tab has saved, if the app has only older data', async () => {
  const { world, open, respond, save } = setUp();
  const [one, other] = [open(), open()];
  one.edit({ title: 'First' });
  await save(one);
  await respond();
  const older = world.known;
  one.edit({ title: 'Second' });
  await save(one);
  await respond();
  world.known = older;
  other.edit({ author: 'Bo' });
  await save(other);
  await respond();
  expect(world.writes.slice(2)).toEqual([[{ author: 'Bo' }, 3]]);
  expect(other.state).toMatchObject({ status: 'saved', values: { title: 'Second', author: 'Bo' } });
});

it('changes of different fields are merged', async () => {
  const { world, open, write, respond, save } = setUp();
  const engine = open();
  engine.edit({ title: 'Mine' });
  write({ author: 'Bo' });
  await save(engine);
  await respond();
  expect(world.server.fields).toEqual({ title: 'Mine', author: 'Bo' });
  expect(engine.state).toMatchObject({ status: 'saved', values: { title: 'Mine', author: 'Bo' } });
});

it('typed text is there again when the page is reopened', async () => {
  const { open, change } = setUp();
  const engine = open();
  engine.edit({ title: 'Mine' });
  await settle();
  engine.close();
  const next = open();
  await settle();
  expect(next.state).toMatchObject({ status: 'waiting', values: { title: 'Mine' }, dirty: true });
  await change({ author: 'Bo' }, next);
  expect(next.state.values).toEqual({ title: 'Mine', author: 'Bo' });
});

it('text that was typed before a release that removed a field is saved after it', async () => {
  const { world, open, respond, write, save } = setUp();
  world.known = write({ mood: 'calm' });
  const before = open();
  before.edit({ title: 'Mine' });
  await settle();
  before.close();
  world.server = { revision: 3, fields: { title: 'Night', author: 'Ana' } };
  world.known = world.server;
  const engine = open();
  await settle();
  await save(engine);
  await respond();
  expect(world.writes).toEqual([[{ title: 'Mine' }, 3]]);
  expect(engine.state).toMatchObject({ status: 'saved', dirty: false });
});
