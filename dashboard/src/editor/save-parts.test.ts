import { expect, it } from 'vitest';
import { FakeBrowser, settle } from '../../test/editor/fake-browser.ts';
import { FakeServer, type Outcome, part } from '../../test/editor/fake-server.ts';
import type { SaveEngine } from './save-engine.ts';

const setUp = async (check?: (field: string) => string | undefined) => {
  const server = new FakeServer({ title: 'Pilot', [part]: 'One' });
  const browser = new FakeBrowser(server, check);
  const read = server.state;
  const engine = await browser.open();
  const respond = async (outcome: Outcome = 'ok') => {
    server.respond(outcome);
    await settle();
  };
  const type = async (text: string, tab: SaveEngine = engine) => {
    tab.edit({ [part]: text }, read);
    await settle();
  };
  const save = async (tab: SaveEngine = engine) => {
    void tab.flush();
    await settle();
  };
  return { server, browser, engine, read, respond, type, save };
};

it('a server that wants no requests gets none, also while the person types', async () => {
  const { server, browser, engine, respond, type, save } = await setUp();
  const pass = async (milliseconds: number) => {
    browser.clock.advance(milliseconds);
    await settle();
  };
  server.retryAfterSeconds = 30;
  await type('Two');
  await save();
  await respond('busy');
  expect(engine.state).toMatchObject({ status: 'paused', mayTryAgain: true });
  await type('Three');
  await save();
  await pass(29_999);
  expect(server.waiting).toHaveLength(0);
  await pass(1);
  await respond();
  expect(server.state.fields[part]).toBe('Three');
});

it('a part is sent in a request of its own, after the form', async () => {
  const { server, engine, respond, type, save } = await setUp();
  await type('Two');
  engine.edit({ title: 'New' });
  await save();
  await respond();
  await respond();
  expect(server.saves).toEqual([{ title: 'New' }, { [part]: 'Two' }]);
  expect(engine.state).toMatchObject({ status: 'saved', revision: 3 });
});

it('an edit after one’s own saves is no conflict', async () => {
  const { server, engine, respond, type, save } = await setUp();
  engine.edit({ title: 'New' });
  await save();
  await respond();
  await type('Two');
  await save();
  expect(server.waiting).toHaveLength(1);
  await respond();
  expect(server.state).toEqual({ revision: 3, fields: { title: 'New', [part]: 'Two' } });
});

it('changes by others before the first edit need a decision', async () => {
  const { server, engine, respond, type, save } = await setUp();
  server.saveByOthers({ [part]: 'Theirs' });
  void engine.noticeRevision(2);
  await settle();
  await respond();
  expect(engine.state.revision).toBe(2);
  await type('Mine');
  await save();
  await respond();
  await respond();
  expect(engine.state).toMatchObject({
    status: 'overlapping',
    values: { [part]: 'Mine' },
    overlaps: { [part]: ['Theirs'] },
  });
  expect(server.state.fields[part]).toBe('Theirs');
});

it('a part that was edited is loaded with the form', async () => {
  const { server, engine, respond, type, save } = await setUp();
  await type('Two');
  await save();
  await respond();
  server.saveByOthers({ [part]: 'Theirs' });
  void engine.noticeRevision(3);
  await settle();
  await respond();
  expect(engine.state).toMatchObject({ values: { [part]: 'Theirs' }, overlaps: {}, revision: 3 });
});

it('changes by others while the tab was closed need a decision, too', async () => {
  const { server, browser, type } = await setUp();
  await type('Mine');
  await browser.kill(0);
  server.saveByOthers({ [part]: 'Theirs' });
  const next = await browser.open();
  expect(next.state.values[part]).toBe('Mine');
  while (server.waiting.length > 0) {
    server.respond('ok');
    await settle();
  }
  expect(next.state.overlaps).toEqual({ [part]: ['Theirs'] });
  expect(server.state.fields[part]).toBe('Theirs');
});

it('a value that the browser finds wrong is kept and not sent; the rest is sent', async () => {
  const { server, browser, engine, respond, type, save } = await setUp((field) =>
    field === part ? 'Not like this.' : undefined,
  );
  await type('Wrong');
  engine.edit({ title: 'New' });
  await save();
  await respond();
  expect(server.saves).toEqual([{ title: 'New' }]);
  expect(engine.state).toMatchObject({
    status: 'refused',
    mayTryAgain: false,
    problems: { [part]: 'Not like this.' },
  });
  await browser.kill(0);
  const next = await browser.open();
  expect(next.state.values[part]).toBe('Wrong');
});

it('refused values are sent again when the person asks for it', async () => {
  const { server, engine, respond, type, save } = await setUp();
  await type('Two');
  await save();
  await respond('refused');
  expect(engine.state).toMatchObject({ status: 'refused', mayTryAgain: true });
  void engine.resume();
  await settle();
  expect(server.waiting).toHaveLength(0);
  void engine.tryAgain();
  await settle();
  await respond();
  expect(engine.state).toMatchObject({ status: 'saved', mayTryAgain: false });
});

it('thousands of edits are one change', async () => {
  const { engine } = await setUp();
  const fields = Array.from({ length: 50_000 }, (_, index) => [`transcript.${index}.text`, 'a']);
  const changes = Object.fromEntries(fields) as Record<string, string>;
  const before = Object.fromEntries(fields.map(([field]) => [field, ''])) as Record<string, string>;
  let changed = 0;
  engine.subscribe(() => {
    changed += 1;
  });
  engine.edit(changes, { revision: 1, fields: before });
  expect(changed).toBeLessThan(4);
  expect(engine.state.values).toMatchObject(changes);
});
