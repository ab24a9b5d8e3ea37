import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestContext, type TestContext } from '../../../test/create-test-context.ts';
import { type App, createApp } from '../../app.ts';
import { createConfig } from '../../config/config.ts';
import { parseSettings, readEnvironment } from '../../config/environment.ts';
import { createLog } from '../../platform/log/log.ts';
import {
  type MailHost,
  openMailHost,
  smtpError,
} from '../../platform/mailer/mail-host-for-test.ts';
import { startWorker } from '../../worker/start-worker.ts';
import { countLetters, queueLetter, sendLetters } from './index.ts';
import { pruneLetters } from './send-letters.ts';

const onServer = process.env['TEST_DATABASE'] === 'postgres';
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

let host: MailHost;
let test: TestContext;
let logged: string[];
beforeEach(async () => {
  host = await openMailHost();
  logged = [];
  const log = createLog('info', { write: (line: string) => void logged.push(line) });
  test = await createTestContext({ SMTP_URL: host.url }, { log });
});
afterEach(async () => {
  await test[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});

const queue = (to: string, link = 'https://test.local/reset?token=s3cret') =>
  queueLetter(test.ctx, { template: 'reset-password', to, values: { name: 'Ana', link } });
const readers = (mailHost = host) => mailHost.received.flatMap(({ to }) => to).sort();
const letters = async () => (await test.database.pool.query('select * from letters')).rows;

/** The same installation in another process, as far as letters can tell. */
async function openAnother(): Promise<App> {
  const settings = {
    DATABASE_URL: test.databaseUrl!,
    SECRET: 'x'.repeat(32),
    DATA_DIR: test.config.dataDir,
    BASE_URL: 'http://test.local',
    SMTP_URL: host.url,
    LOG_LEVEL: 'silent',
  };
  const config = createConfig(parseSettings(readEnvironment(settings)));
  return await createApp(config, { clock: test.clock });
}

describe('sending', () => {
  it('brings a letter to its reader once, and then forgets what it said', async () => {
    await queue('ana@example.com');
    await sendLetters(test.ctx);
    await sendLetters(test.ctx);
    expect(readers()).toEqual(['ana@example.com']);
    const [letter] = await letters();
    expect(host.received[0]?.messageId).toBe(`${letter.id}@test.local`);
    expect(host.received[0]?.raw).toContain('From: Podstead <no-reply@test.local>');
    expect(host.received[0]?.raw).toContain('Subject: Choose a new password');
    expect(letter).toMatchObject({ state: 'sent', recipient: null, content: null, attempts: 1 });
    expect(await countLetters(test.ctx)).toEqual({ waiting: 0, sent: 1, givenUp: 0 });
  });

  it('writes files where there is no mail server', async () => {
    await using alone = await createTestContext();
    const values = { podcast: 'x' };
    await queueLetter(alone.ctx, { template: 'member-removed', to: 'a@example.com', values });
    await sendLetters(alone.ctx);
    const { rows } = await alone.database.pool.query('select id, state from letters');
    expect(rows).toEqual([{ id: expect.any(String), state: 'sent' }]);
    expect(await readdir(alone.config.mail.folder)).toEqual([`${rows[0].id}.eml`]);
  });

  it('stops when it is told to, between two letters', async () => {
    for (let n = 0; n < 12; n += 1) await queue(`${n}@example.com`);
    const stop = new AbortController();
    host.onLetter = () => stop.abort();
    await sendLetters(test.ctx, { signal: stop.signal });
    const { waiting, sent } = await countLetters(test.ctx);
    expect(waiting + sent).toBe(12);
    expect(waiting).toBeGreaterThanOrEqual(8);
    expect(readers()).toHaveLength(sent);
  });

  it('keeps ended letters for 90 days', async () => {
    await queue('ana@example.com');
    await sendLetters(test.ctx);
    await queue('bo@example.com');
    test.clock.advance(90 * dayMs);
    await pruneLetters(test.ctx);
    expect(await letters()).toHaveLength(2);
    test.clock.advance(1);
    await pruneLetters(test.ctx);
    expect((await letters()).map(({ state }) => state)).toEqual(['waiting']);
  });
});

describe('a mail server that does not take a letter', () => {
  it('is asked again later and later; nothing is lost while it is away', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await queue(`${name}@example.com`);
    const { port } = new URL(host.url);
    await host[Symbol.asyncDispose]();
    await sendLetters(test.ctx);
    // Four are tried side by side; that the server is away is known then.
    const tried = await letters();
    expect(tried.filter(({ attempts }) => attempts === 1)).toHaveLength(4);
    expect(tried.filter(({ attempts }) => attempts === 0)).toHaveLength(3);
    for (let minutes = 0; minutes < 60; minutes += 1) {
      await sendLetters(test.ctx);
      test.clock.advance(minuteMs);
    }
    expect(await countLetters(test.ctx)).toMatchObject({ waiting: 7, givenUp: 0 });
    const attempts = (await letters()).map((letter) => letter.attempts);
    expect(Math.max(...attempts)).toBeLessThan(16);
    host = await openMailHost({}, Number(port));
    test.clock.advance(5 * minuteMs);
    await sendLetters(test.ctx);
    expect(readers()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((n) => `${n}@example.com`));
  });

  it('is asked again about a letter it defers, after a pause; the others go out', async () => {
    host.onRecipient = (address) => {
      if (address.startsWith('grey')) throw smtpError(451, 'greylisted');
    };
    await queue('grey@example.com');
    await queue('ana@example.com');
    await sendLetters(test.ctx);
    await sendLetters(test.ctx);
    expect(readers()).toEqual(['ana@example.com']);
    host.onRecipient = null;
    test.clock.advance(minuteMs);
    await sendLetters(test.ctx);
    expect(readers()).toEqual(['ana@example.com', 'grey@example.com']);
  });

  it('is not asked again about an address it refuses, which the log does not name', async () => {
    host.onRecipient = (address) => {
      throw smtpError(550, `no such user ${address}`);
    };
    await queue('nobody@example.com');
    await sendLetters(test.ctx);
    const [letter] = await letters();
    expect(letter).toMatchObject({ state: 'given_up', recipient: null, content: null });
    const [line] = logged.map((text) => JSON.parse(text));
    expect(line).toMatchObject({ letterId: letter.id, template: 'reset-password', reason: '550' });
    expect(logged.join()).not.toMatch(/nobody|s3cret|Ana/);
  });

  it('is given up after three days', async () => {
    host.onRecipient = () => {
      throw smtpError(450, 'later');
    };
    await queue('ana@example.com');
    test.clock.advance(3 * dayMs);
    await sendLetters(test.ctx);
    expect(await countLetters(test.ctx)).toMatchObject({ waiting: 1 });
    test.clock.advance(60 * minuteMs);
    await sendLetters(test.ctx);
    expect(await countLetters(test.ctx)).toMatchObject({ waiting: 0, givenUp: 1 });
  });
});

describe('a sender that dies', () => {
  it('after the server took a letter: it is sent again under the same name', async () => {
    await queue('ana@example.com');
    const taken = Promise.withResolvers<void>();
    const mailer = {
      async send(mail: Parameters<App['ctx']['mailer']['send']>[0]) {
        await test.ctx.mailer.send(mail);
        taken.resolve();
        await new Promise(() => undefined);
      },
    };
    void sendLetters({ ...test.ctx, mailer });
    await taken.promise;
    await sendLetters(test.ctx);
    expect(host.received).toHaveLength(1);
    test.clock.advance(5 * minuteMs);
    await sendLetters(test.ctx);
    const [first, second] = host.received.map(({ messageId }) => messageId);
    expect(second).toBe(first);
    expect(await countLetters(test.ctx)).toMatchObject({ waiting: 0, sent: 1 });
  });

  it.skipIf(!onServer)('before: another sends it, once', async () => {
    await queue('ana@example.com');
    const asked = Promise.withResolvers<void>();
    host.onLetter = async () => {
      asked.resolve();
      await new Promise(() => undefined);
    };
    const file = fileURLToPath(new URL('./send-child-for-test.ts', import.meta.url));
    const child = spawn(process.execPath, [file], {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        DATABASE_URL: test.databaseUrl!,
        SECRET: 'x'.repeat(32),
        DATA_DIR: test.config.dataDir,
        SMTP_URL: host.url,
        LOG_LEVEL: 'error',
      },
    });
    await asked.promise;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    host.onLetter = null;
    // The child's clock is the real one: its hold ends after any that a test clock stands at.
    test.clock.set(new Date());
    await sendLetters(test.ctx);
    expect(host.received).toEqual([]);
    test.clock.advance(6 * minuteMs);
    await sendLetters(test.ctx);
    expect(readers()).toEqual(['ana@example.com']);
  });
});

describe('workers', () => {
  it('send a letter as soon as it is there, wherever it was written', async () => {
    await using opened = new AsyncDisposableStack();
    const elsewhere = onServer ? opened.use(await openAnother()) : test;
    opened.use(await startWorker(test));
    // More than what a start, a new connection and the clock would find by themselves.
    const addresses = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.com`);
    for (const to of addresses) {
      await queueLetter(elsewhere.ctx, {
        template: 'member-removed',
        to,
        values: { podcast: 'x' },
      });
      await vi.waitFor(() => expect(readers()).toContain(to), { timeout: 15_000 });
    }
    expect(readers()).toEqual(addresses);
  }, 60_000);

  it.skipIf(!onServer)('send each letter once, however many they are', async () => {
    await using opened = new AsyncDisposableStack();
    const addresses = Array.from({ length: 60 }, (_, n) => `${n + 100}@example.com`);
    const apps = [opened.use(await openAnother()), opened.use(await openAnother())];
    for (const address of addresses.slice(0, 40)) await queue(address);
    const sending = apps.map((app) => sendLetters(app.ctx));
    for (const address of addresses.slice(40)) await queue(address);
    await Promise.all(sending);
    await Promise.all(apps.map((app) => sendLetters(app.ctx)));
    expect(readers()).toEqual(addresses);
    const names = host.received.map(({ messageId }) => messageId);
    expect(new Set(names).size).toBe(addresses.length);
    const attempts = (await letters()).map((letter) => letter.attempts);
    expect(new Set(attempts)).toEqual(new Set([1]));
  });
});
