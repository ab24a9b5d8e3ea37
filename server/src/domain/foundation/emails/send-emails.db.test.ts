import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestContext, type TestContext } from '../../../../test/create-test-context.ts';
import { type MailHost, openMailHost, smtpError } from '../../../../test/hosts/mail-host.ts';
import { patience } from '../../../../test/patience.ts';
import { startTestProgram } from '../../../../test/start-test-program.ts';
import { useOneDatabase } from '../../../../test/use-one-database.ts';
import { type App, createApp } from '../../../app.ts';
import { createConfig } from '../../../config/config.ts';
import { parseSettings, readEnvironment } from '../../../config/environment.ts';
import { createLog } from '../../../platform/log/log.ts';
import type { Mailer } from '../../../platform/mailer/mailer.ts';
import { startWorker } from '../../../worker/start-worker.ts';
import { countEmails, queueEmail, sendEmails, sendEmailsJob } from './index.ts';
import { pruneEmails } from './send-emails.ts';

const onServer = process.env['TEST_DATABASE'] === 'postgres';
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const databases = useOneDatabase();
let host: MailHost;
let test: TestContext;
let logged: string[];
beforeEach(async () => {
  host = await openMailHost();
  logged = [];
  const log = createLog('info', { write: (line: string) => void logged.push(line) });
  test = await createTestContext({ SMTP_URL: host.url }, { log, databases });
});
afterEach(async () => {
  await test[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});

const queue = (to: string, link = 'https://test.local/reset?token=s3cret') =>
  queueEmail(test.ctx, {
    template: 'reset-password',
    to,
    values: { name: 'Ana', link, until: new Date('2026-03-10T12:00:00Z') },
  });
const readers = (mailHost = host) => mailHost.received.flatMap(({ to }) => to).sort();
const emails = async () => (await test.database.pool.query('select * from emails')).rows;

/** The same installation in another process, as far as emails are concerned. */
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

describe('sending emails', () => {
  // FAULT-2
  it('an email that was queued while the clock was a day ahead is sent when it is right again', async () => {
    test.clock.advance(dayMs);
    await queue('ana@example.com');
    test.clock.advance(-dayMs);
    await sendEmails(test.ctx);
    expect(readers()).toEqual(['ana@example.com']);
  });

  it('delivers an email once, and then deletes its content', async () => {
    await queue('ana@example.com');
    await sendEmails(test.ctx);
    await sendEmails(test.ctx);
    expect(readers()).toEqual(['ana@example.com']);
    const [email] = await emails();
    expect(host.received[0]?.messageId).toBe(`${email.id}@test.local`);
    expect(host.received[0]?.raw).toContain('From: Podstead <no-reply@test.local>');
    expect(host.received[0]?.raw).toContain('Subject: Choose a new password');
    expect(email).toMatchObject({ state: 'sent', recipient: null, content: null, attempts: 1 });
    expect(await countEmails(test.ctx)).toEqual({ waiting: 0, sent: 1, givenUp: 0 });
  });

  // ACCT-23
  it('writes files where there is no mail server', async () => {
    await using alone = await createTestContext();
    const values = { podcast: 'x' };
    await queueEmail(alone.ctx, { template: 'member-removed', to: 'a@example.com', values });
    await sendEmails(alone.ctx);
    const { rows } = await alone.database.pool.query('select id, state from emails');
    expect(rows).toEqual([{ id: expect.any(String), state: 'sent' }]);
    expect(await readdir(alone.config.mail.folder)).toEqual([`${rows[0].id}.eml`]);
  });

  it('stops between two emails when it is told to', async () => {
    for (let n = 0; n < 12; n += 1) await queue(`${n}@example.com`);
    const stop = new AbortController();
    host.onEmail = () => stop.abort();
    await sendEmails(test.ctx, { signal: stop.signal });
    const { waiting, sent } = await countEmails(test.ctx);
    expect(waiting + sent).toBe(12);
    expect(waiting).toBeGreaterThanOrEqual(8);
    expect(readers()).toHaveLength(sent);
  });

  it('ended emails are kept for 90 days', async () => {
    await queue('ana@example.com');
    await sendEmails(test.ctx);
    await queue('bo@example.com');
    test.clock.advance(90 * dayMs);
    await pruneEmails(test.ctx);
    expect(await emails()).toHaveLength(2);
    test.clock.advance(1);
    await pruneEmails(test.ctx);
    expect((await emails()).map(({ state }) => state)).toEqual(['waiting']);
  });
});

describe('a mail server that rejects an email', () => {
  it('a mail server that rejects an email is retried with growing pauses; no email is lost while it is down', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) await queue(`${name}@example.com`);
    const { port } = new URL(host.url);
    await host[Symbol.asyncDispose]();
    await sendEmails(test.ctx);
    // Four are tried at once; then the sender knows that the server is down.
    const tried = await emails();
    expect(tried.filter(({ attempts }) => attempts === 1)).toHaveLength(4);
    expect(tried.filter(({ attempts }) => attempts === 0)).toHaveLength(3);
    for (let minutes = 0; minutes < 60; minutes += 1) {
      await sendEmails(test.ctx);
      test.clock.advance(minuteMs);
    }
    expect(await countEmails(test.ctx)).toMatchObject({ waiting: 7, givenUp: 0 });
    const attempts = (await emails()).map((email) => email.attempts);
    expect(Math.max(...attempts)).toBeLessThan(16);
    host = await openMailHost({}, Number(port));
    test.clock.advance(5 * minuteMs);
    await sendEmails(test.ctx);
    expect(readers()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((n) => `${n}@example.com`));
  });

  it('a mail server that rejects an email is retried after a pause with a deferred email; the others are sent', async () => {
    host.onRecipient = (address) => {
      if (address.startsWith('gray')) throw smtpError(451, 'greylisted');
    };
    await queue('gray@example.com');
    await queue('ana@example.com');
    await sendEmails(test.ctx);
    await sendEmails(test.ctx);
    expect(readers()).toEqual(['ana@example.com']);
    host.onRecipient = null;
    test.clock.advance(minuteMs);
    await sendEmails(test.ctx);
    expect(readers()).toEqual(['ana@example.com', 'gray@example.com']);
  });

  it('a mail server that rejects an email is not retried for a refused recipient, and the log does not name it', async () => {
    host.onRecipient = (address) => {
      throw smtpError(550, `no such user ${address}`);
    };
    await queue('nobody@example.com');
    await sendEmails(test.ctx);
    const [email] = await emails();
    expect(email).toMatchObject({ state: 'given_up', recipient: null, content: null });
    const [line] = logged.map((text) => JSON.parse(text));
    expect(line).toMatchObject({ emailId: email.id, template: 'reset-password', reason: '550' });
    expect(logged.join()).not.toMatch(/nobody|s3cret|Ana/);
  });

  it('a mail server that rejects an email is not retried after three days', async () => {
    host.onRecipient = () => {
      throw smtpError(450, 'later');
    };
    await queue('ana@example.com');
    test.clock.advance(3 * dayMs);
    await sendEmails(test.ctx);
    expect(await countEmails(test.ctx)).toMatchObject({ waiting: 1 });
    test.clock.advance(60 * minuteMs);
    await sendEmails(test.ctx);
    expect(await countEmails(test.ctx)).toMatchObject({ waiting: 0, givenUp: 1 });
  });
});

describe('a sender that dies', () => {
  let endSenders: () => void;
  let senders: Promise<void>[];
  beforeEach(() => {
    endSenders = () => undefined;
    senders = [];
  });
  afterEach(async () => {
    endSenders();
    await Promise.all(senders);
  });

  /** Starts a sender that blocks in its first email and renews its lease every `renewLeaseMs`. */
  function startSender(deliver: Mailer['send'], renewLeaseMs: number): void {
    const death = new Promise<void>((resolve) => {
      endSenders = resolve;
    });
    const mailer: Mailer = {
      async send(mail) {
        await deliver(mail);
        await death;
      },
    };
    senders.push(sendEmails({ ...test.ctx, mailer }, { renewLeaseMs }));
  }
  const startDyingSender = (deliver: Mailer['send'] = async () => undefined) =>
    startSender(deliver, dayMs);

  // ACCT-24
  it('an email is sent again with the same Message-ID if its sender dies after the server accepted it', async () => {
    await queue('ana@example.com');
    const taken = Promise.withResolvers<void>();
    startDyingSender(async (mail) => {
      await test.ctx.mailer.send(mail);
      taken.resolve();
    });
    await taken.promise;
    await sendEmails(test.ctx);
    expect(host.received).toHaveLength(1);
    test.clock.advance(30_000);
    await sendEmails(test.ctx);
    const [first, second] = host.received.map(({ messageId }) => messageId);
    expect(second).toBe(first);
    expect(await countEmails(test.ctx)).toMatchObject({ waiting: 0, sent: 1 });
  });

  it('a sender that dies has already enqueued a job that takes over within a minute', async () => {
    const ordered: unknown[] = [];
    const run = () =>
      sendEmailsJob.run(
        test.ctx,
        {},
        {
          signal: AbortSignal.abort(),
          enqueue: async (job, _payload, options) =>
            void ordered.push([job.name, options?.key, options?.delaySeconds]),
        },
      );
    await run();
    expect(ordered).toEqual([]);
    await queue('ana@example.com');
    await run();
    expect(ordered.splice(0)).toEqual([['send-emails', 'again', 31]]);
    // Claimed by a sender that hangs or is dead.
    startDyingSender();
    await vi.waitFor(async () => expect((await emails())[0].attempts).toBe(1), patience);
    test.clock.advance(10_000);
    await run();
    expect(ordered.splice(0)).toEqual([['send-emails', 'again', 21]]);
    test.clock.advance(20_000);
    await sendEmails(test.ctx);
    expect(readers()).toEqual(['ana@example.com']);
  });

  it('a sender that dies keeps its claim while it is alive', async () => {
    await queue('ana@example.com');
    startSender(async () => undefined, 10);
    await vi.waitFor(async () => expect((await emails())[0].attempts).toBe(1), patience);
    test.clock.advance(20_000);
    const heldUntil = new Date(test.clock.now().getTime() + 30_000);
    await vi.waitFor(async () => expect((await emails())[0].due_at).toEqual(heldUntil), patience);
    test.clock.advance(20_000);
    await sendEmails(test.ctx);
    expect(readers()).toEqual([]);
  });

  it.skipIf(!onServer)(
    'an email is sent once by another sender if the first one dies before',
    async () => {
      await queue('ana@example.com');
      const asked = Promise.withResolvers<void>();
      host.onEmail = async () => {
        asked.resolve();
        await new Promise(() => undefined);
      };
      const child = startTestProgram('send-emails', {
        DATABASE_URL: test.databaseUrl!,
        SECRET: 'x'.repeat(32),
        DATA_DIR: test.config.dataDir,
        SMTP_URL: host.url,
        LOG_LEVEL: 'error',
      });
      await asked.promise;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      host.onEmail = null;
      // The child uses the real clock, so its lease outlasts any time of the test clock.
      test.clock.set(new Date());
      await sendEmails(test.ctx);
      expect(host.received).toEqual([]);
      test.clock.advance(minuteMs);
      await sendEmails(test.ctx);
      expect(readers()).toEqual(['ana@example.com']);
    },
  );
});

describe('workers', () => {
  it('workers send an email as soon as any process queues it', async () => {
    await using opened = new AsyncDisposableStack();
    const elsewhere = onServer ? opened.use(await openAnother()) : test;
    opened.use(await startWorker(test));
    // More emails than the start, a new connection and the schedule would send on their own.
    const addresses = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.com`);
    for (const to of addresses) {
      await queueEmail(elsewhere.ctx, {
        template: 'member-removed',
        to,
        values: { podcast: 'x' },
      });
      await vi.waitFor(() => expect(readers()).toContain(to), { timeout: 15_000 });
    }
    expect(readers()).toEqual(addresses);
  });

  // ACCT-24
  it.skipIf(!onServer)('workers send each email once, in any number of processes', async () => {
    await using opened = new AsyncDisposableStack();
    const addresses = Array.from({ length: 60 }, (_, n) => `${n + 100}@example.com`);
    const apps = [opened.use(await openAnother()), opened.use(await openAnother())];
    for (const address of addresses.slice(0, 40)) await queue(address);
    const sending = apps.map((app) => sendEmails(app.ctx));
    for (const address of addresses.slice(40)) await queue(address);
    await Promise.all(sending);
    await Promise.all(apps.map((app) => sendEmails(app.ctx)));
    expect(readers()).toEqual(addresses);
    const names = host.received.map(({ messageId }) => messageId);
    expect(new Set(names).size).toBe(addresses.length);
    const attempts = (await emails()).map((email) => email.attempts);
    expect(new Set(attempts)).toEqual(new Set([1]));
  });
});
