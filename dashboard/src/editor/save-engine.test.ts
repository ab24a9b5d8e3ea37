import { describe, expect, it } from 'vitest';
import { FakeBrowser, key, settle } from '../../test/editor/fake-browser.ts';
import { FakeServer, type Outcome } from '../../test/editor/fake-server.ts';
import type { SaveMode } from './draft-server.ts';

const setUp = async (mode: SaveMode = 'auto') => {
  const server = new FakeServer({ title: 'Pilot', notes: '' });
  const browser = new FakeBrowser(server);
  const engine = await browser.open(mode);
  const pass = async (milliseconds: number) => {
    browser.clock.advance(milliseconds);
    await settle();
  };
  const respond = async (outcome: Outcome = 'ok') => {
    server.respond(outcome);
    await settle();
  };
  const type = async (title: string) => {
    engine.edit({ title });
    await settle();
  };
  return { server, browser, engine, pass, respond, type };
};

describe('a draft that someone types', () => {
  it('a save follows a pause', async () => {
    const { server, engine, pass, respond, type } = await setUp();
    await type('A');
    await pass(500);
    await type('AB');
    await pass(799);
    expect(server.saves).toEqual([]);
    expect(engine.state.status).toBe('unsaved');
    await pass(1);
    expect(server.saves).toEqual([{ title: 'AB' }]);
    expect(engine.state.status).toBe('saving');
    await respond();
    expect(engine.state).toMatchObject({ status: 'saved', revision: 2, dirty: false });
  });

  it('saving happens now and then while a person types without a pause', async () => {
    const { server, pass, type } = await setUp();
    for (let length = 1; server.saves.length === 0 && length < 50; length += 1) {
      await type('x'.repeat(length));
      await pass(500);
    }
    expect(server.saves).toEqual([{ title: 'x'.repeat(16) }]);
  });

  it('leaving the field saves at once', async () => {
    const { server, engine, type } = await setUp();
    await type('A');
    void engine.flush();
    await settle();
    expect(server.saves).toEqual([{ title: 'A' }]);
  });

  it('one request is in flight, and at most one more waits', async () => {
    const { server, engine, respond, type } = await setUp();
    for (const title of ['A', 'AB', 'ABC']) {
      await type(title);
      void engine.flush();
      await settle();
    }
    expect(server.waiting).toHaveLength(1);
    await respond();
    await respond();
    expect(server.saves).toEqual([{ title: 'A' }, { title: 'ABC' }]);
    expect(engine.state.status).toBe('saved');
    expect(server.waiting).toHaveLength(0);
  });
});

describe('a draft that can’t be saved', () => {
  it('saving waits longer each time without a connection, and continues automatically', async () => {
    const { server, engine, pass, respond, type } = await setUp();
    await type('A');
    await pass(800);
    await respond('offline');
    expect(engine.state.status).toBe('paused');
    await pass(1000);
    await respond('offline');
    await pass(1000);
    expect(server.waiting).toHaveLength(0);
    await pass(1000);
    await respond();
    expect(engine.state.status).toBe('saved');
  });

  it('typing while the server is away causes no further requests', async () => {
    const { server, pass, respond, type } = await setUp();
    await type('A');
    await pass(800);
    for (const delay of [1000, 2000, 4000]) {
      await respond('busy');
      await pass(delay);
    }
    await respond('busy');
    for (let length = 1; length < 5; length += 1) {
      await type('A'.repeat(length + 1));
      await pass(900);
    }
    expect(server.waiting).toHaveLength(0);
  });

  it('leaving a field without a server causes no further requests, but the person can save', async () => {
    const { server, engine, pass, respond, type } = await setUp();
    await type('A');
    await pass(800);
    await respond('busy');
    void engine.flush();
    await settle();
    expect(server.waiting).toHaveLength(0);
    void engine.resume();
    await settle();
    expect(server.waiting).toHaveLength(1);
  });

  it('typed text is kept after the end of a session, and saved after signing in', async () => {
    const { server, browser, engine, pass, respond, type } = await setUp();
    await type('A');
    await pass(800);
    await respond('signed-out');
    await type('AB');
    await pass(60_000);
    expect(engine.state).toMatchObject({ status: 'signed-out', values: { title: 'AB' } });
    expect(browser.store.peek(key)?.mine['title']).toBe('AB');
    expect(server.waiting).toHaveLength(0);
    void engine.resume();
    await settle();
    await respond();
    expect(server.state.fields['title']).toBe('AB');
  });

  it('a refused field does not delay the others', async () => {
    const { server, engine, pass, respond, type } = await setUp();
    engine.edit({ title: '', notes: 'Hello' });
    await pass(800);
    await respond('refused');
    expect(server.saves).toEqual([{ title: '', notes: 'Hello' }, { notes: 'Hello' }]);
    await respond();
    expect(engine.state).toMatchObject({ status: 'refused', problems: { title: 'no' } });
    await type('A');
    expect(engine.state.problems).toEqual({});
    await pass(800);
    await respond();
    expect(engine.state.status).toBe('saved');
  });

  it('a deleted episode ends saving, and the draft stays', async () => {
    const { browser, engine, pass, respond, type } = await setUp();
    await type('A');
    await pass(800);
    await respond('gone');
    expect(engine.state).toMatchObject({ status: 'gone', values: { title: 'A' } });
    expect(browser.store.peek(key)?.mine['title']).toBe('A');
  });

  it('a connection that is back sends nothing for a deleted episode', async () => {
    const { server, engine, pass, respond, type } = await setUp();
    await type('A');
    await pass(800);
    await respond('gone');
    void engine.resume();
    await settle();
    expect(server.waiting).toHaveLength(0);
    expect(engine.state.status).toBe('gone');
  });

  it('closing the tab loses text that is not stored yet, or cannot be', async () => {
    const { browser, engine, type } = await setUp('manual');
    expect(engine.state.closingLosesText).toBe(false);
    engine.edit({ title: 'A' });
    expect(engine.state.closingLosesText).toBe(true);
    await settle();
    expect(engine.state.closingLosesText).toBe(false);
    browser.store.problem = 'unavailable';
    await type('AB');
    expect(engine.state.closingLosesText).toBe(true);
  });

  it('a full storage is reported, and saving continues', async () => {
    const { server, browser, engine, pass, respond, type } = await setUp();
    browser.store.problem = 'full';
    await type('A');
    expect(engine.state).toMatchObject({ storageProblem: 'full', values: { title: 'A' } });
    await pass(800);
    await respond();
    expect(server.state.fields['title']).toBe('A');
    browser.store.problem = undefined;
    await type('AB');
    expect(engine.state.storageProblem).toBeUndefined();
    expect(browser.store.peek(key)?.mine['title']).toBe('AB');
  });

  it('text that a full storage did not take is kept when there is room again', async () => {
    const { browser, engine, type } = await setUp();
    await type('A');
    browser.store.problem = 'full';
    await type('AB');
    browser.store.problem = undefined;
    engine.edit({ notes: 'Hello' });
    await settle();
    expect(engine.state.values).toEqual({ title: 'AB', notes: 'Hello' });
    expect(browser.store.peek(key)?.mine['title']).toBe('AB');
  });
});

describe('a draft after a crash', () => {
  it('typed text is there again, and is saved', async () => {
    const { server, browser, type } = await setUp();
    await type('A');
    await browser.kill(0);
    const engine = await browser.open();
    expect(engine.state.values['title']).toBe('A');
    browser.clock.advance(800);
    await settle();
    server.respond('ok');
    await settle();
    expect(server.state.fields['title']).toBe('A');
  });

  it('typed text of a public episode waits again', async () => {
    const { server, browser, pass, type } = await setUp('manual');
    await type('A');
    await browser.kill(0);
    const engine = await browser.open('manual');
    await pass(60_000);
    expect(engine.state).toMatchObject({ status: 'waiting', values: { title: 'A' } });
    expect(server.saves).toEqual([]);
  });
});

describe('a public episode', () => {
  it('a public episode is changed when the person updates it', async () => {
    const { server, engine, pass, respond, type } = await setUp('manual');
    await type('A');
    await pass(60_000);
    void engine.flush();
    await settle();
    expect(server.saves).toEqual([]);
    void engine.update();
    await settle();
    await type('AB');
    await respond();
    expect(server.saves).toEqual([{ title: 'A' }]);
    expect(engine.state).toMatchObject({ status: 'waiting', values: { title: 'AB' } });
  });

  it('a public episode is not changed automatically after a failure and more typing', async () => {
    const { server, engine, pass, respond, type } = await setUp('manual');
    await type('A');
    void engine.update();
    await settle();
    await respond('offline');
    expect(engine.state.status).toBe('paused');
    await type('AB');
    await pass(60_000);
    expect(engine.state.status).toBe('waiting');
    expect(server.saves).toHaveLength(1);
  });

  it('an update of a public episode that failed is sent again automatically', async () => {
    const { server, engine, pass, respond, type } = await setUp('manual');
    await type('A');
    void engine.update();
    await settle();
    await respond('offline');
    await pass(1000);
    await respond();
    expect(server.saves).toEqual([{ title: 'A' }, { title: 'A' }]);
    expect(engine.state).toMatchObject({ status: 'saved', revision: 2 });
  });

  it('a public episode that becomes a draft is saved automatically', async () => {
    const { server, engine, pass, type } = await setUp('manual');
    await type('A');
    engine.setMode('auto');
    await pass(800);
    expect(server.saves).toEqual([{ title: 'A' }]);
  });
});

describe('a draft that others change, too', () => {
  it('fields that only they changed are replaced', async () => {
    const { server, engine, pass, respond, type } = await setUp();
    await type('Mine');
    server.saveByOthers({ notes: 'Theirs' });
    await pass(800);
    await respond();
    await respond();
    await respond();
    expect(server.state.fields).toEqual({ title: 'Mine', notes: 'Theirs' });
    expect(engine.state).toMatchObject({ status: 'saved', values: server.state.fields });
  });

  it('a field that both changed waits for a decision; the rest is saved', async () => {
    const { server, engine, pass, respond } = await setUp();
    engine.edit({ title: 'Mine', notes: 'Mine' });
    server.saveByOthers({ title: 'Theirs' });
    await pass(800);
    for (let count = 0; count < 3; count += 1) await respond();
    expect(server.state.fields).toEqual({ title: 'Theirs', notes: 'Mine' });
    expect(engine.state).toMatchObject({ status: 'overlapping', overlaps: { title: ['Theirs'] } });
    void engine.decide({ field: 'title', value: 'Both', seen: ['Theirs'] });
    await settle();
    await pass(800);
    await respond();
    expect(server.state.fields['title']).toBe('Both');
    expect(engine.state.status).toBe('saved');
  });

  it('saving pauses after ten conflicts in a row, and then continues', async () => {
    const { server, engine, pass, respond, type } = await setUp();
    await type('Mine');
    await pass(800);
    for (let count = 1; count <= 10; count += 1) {
      server.saveByOthers({ notes: `Theirs ${count}` });
      await respond();
      await respond();
    }
    expect(server.waiting).toHaveLength(0);
    expect(engine.state).toMatchObject({ status: 'paused', values: { title: 'Mine' } });
    await pass(1000);
    await respond();
    expect(server.state.fields).toEqual({ title: 'Mine', notes: 'Theirs 10' });
  });

  it('another write takes the current revision, and once more after a conflict', async () => {
    const { server, engine, respond } = await setUp();
    server.saveByOthers({ notes: 'Theirs' });
    const revisions: number[] = [];
    const acted = engine.act(async (revision) => {
      revisions.push(revision);
      if (revision < 2) return { kind: 'conflict' };
      return { kind: 'done', value: 'published', revision: 3, fields: {} };
    });
    await settle();
    await respond();
    expect(await acted).toMatchObject({ value: 'published' });
    expect(revisions).toEqual([1, 2]);
    expect(engine.state).toMatchObject({ revision: 3, values: { notes: 'Theirs' } });
  });
});

describe('two tabs of one person', () => {
  it('the other tab shows what is typed, and does not save it again', async () => {
    const { server, browser, pass, respond, type } = await setUp();
    const other = await browser.open();
    await type('A');
    expect(other.state.values['title']).toBe('A');
    await pass(800);
    await respond();
    await pass(60_000);
    expect(server.saves).toEqual([{ title: 'A' }]);
    expect(other.state).toMatchObject({ status: 'saved', revision: 2 });
  });

  it('the other tab saves what a tab that ended could not', async () => {
    const { server, browser, pass, respond, type } = await setUp();
    await browser.open();
    await type('A');
    await pass(800);
    await browser.kill(0);
    server.respond('offline');
    await pass(6_000);
    await respond();
    expect(server.state.fields['title']).toBe('A');
  });
});
