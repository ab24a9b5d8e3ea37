import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MailHost, openMailHost, smtpError } from '../../../test/hosts/mail-host.ts';
import { createLog } from '../log/log.ts';
import { createFileMailer } from './create-file-mailer.ts';
import { createSmtpMailer } from './create-smtp-mailer.ts';
import type { Mail } from './mailer.ts';

const sender = { name: 'Our shows', address: 'shows@example.com' };
const mail: Mail = {
  id: '0190-id',
  to: 'ana@example.com',
  subject: 'Grüße',
  text: 'Hello Ana,\n.\nas text\n',
  html: '<p>Hello Ana</p>',
  date: new Date('2026-03-10T12:00:00Z'),
};

describe('an email by SMTP', () => {
  let host: MailHost;
  beforeEach(async () => {
    host = await openMailHost();
  });
  afterEach(() => host[Symbol.asyncDispose]());
  const send = (changed: Partial<Mail> = {}) =>
    createSmtpMailer({ url: host.url, sender }).send({ ...mail, ...changed });

  // ACCT-23
  it('an email by SMTP arrives in text and HTML, with all headers that mail programs check', async () => {
    await send();
    const [received] = host.received;
    expect(received).toMatchObject({
      messageId: '0190-id@example.com',
      from: sender.address,
      to: [mail.to],
    });
    const raw = received?.raw ?? '';
    for (const header of [
      'From: Our shows <shows@example.com>',
      'To: ana@example.com',
      'Subject: =?UTF-8?Q?Gr=C3=BC=C3=9Fe?=',
      'Date: Tue, 10 Mar 2026 12:00:00 +0000',
      'Auto-Submitted: auto-generated',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Type: text/html; charset=utf-8',
    ]) {
      expect(raw).toContain(`${header}\r\n`);
    }
    expect(raw).toMatch(/Hello Ana,\r\n\.\r\nas text\r\n/);
  });

  it('an email by SMTP has no header or recipient from its values', async () => {
    await send({ subject: 'x\r\nBcc: eve@example.com', id: 'i\r\nX-Eve: 1' });
    const [received] = host.received;
    expect(received?.to).toEqual([mail.to]);
    expect(received?.raw).not.toMatch(/^(Bcc|X-Eve):/im);
  });

  it.each([
    ['refused', '550', 'onRecipient', 550],
    ['deferred', '450', 'onRecipient', 450],
    ['refused', '554', 'onEmail', 554],
    ['deferred', '451', 'onEmail', 451],
  ] as const)(
    'an email by SMTP is %s if the server says %s (%s)',
    async (failure, reason, when, code) => {
      host[when] = () => {
        throw smtpError(code, `no such user ${mail.to}`);
      };
      const error = await send().catch((cause) => cause);
      expect(error).toMatchObject({ failure, reason });
      expect(error.message).not.toContain(mail.to);
    },
  );

  it.each([
    ['a line without an end', 'a'],
    ['lines without an end', '220-a\r\n'],
  ])('an email by SMTP is kept for later if the server sends %s', async (_name, text) => {
    let sent = 0;
    const server = createServer((socket) => {
      const chunk = text.repeat(100_000);
      const write = (): void => {
        if (!socket.destroyed) socket.write(chunk, write);
      };
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sent = socket.bytesWritten;
        });
      write();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const mailer = createSmtpMailer({ url: `smtp://127.0.0.1:${port}`, sender });
    await expect(mailer.send(mail)).rejects.toMatchObject({ failure: 'away' });
    await expect.poll(() => sent).toBeGreaterThan(0);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    server.close();
  });

  it('an email by SMTP is kept for later if the server is absent or refuses the login or sender', async () => {
    const { url } = host;
    await host[Symbol.asyncDispose]();
    await expect(createSmtpMailer({ url, sender }).send(mail)).rejects.toMatchObject({
      failure: 'away',
    });
    const onAuth = (_: unknown, __: unknown, done: (error: Error) => void) =>
      done(smtpError(535, 'who are you'));
    host = await openMailHost({ onAuth, allowInsecureAuth: true });
    const withLogin = host.url.replace('smtp://', 'smtp://me:secret@');
    const refused = createSmtpMailer({ url: withLogin, sender }).send(mail);
    await expect(refused).rejects.toMatchObject({ failure: 'away', reason: '535' });
    const noSender = (_: unknown, __: unknown, done: (error: Error) => void) =>
      done(smtpError(550, 'not from you'));
    await using strict = await openMailHost({ onMailFrom: noSender });
    await expect(createSmtpMailer({ url: strict.url, sender }).send(mail)).rejects.toMatchObject({
      failure: 'away',
      reason: '550',
    });
  });
});

describe('an email as a file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podstead-emails-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  // ACCT-23
  it('an email as a file is written once, private, and logged without its text', async () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line: string) => void lines.push(line) });
    const emails = join(folder, 'emails');
    const mailer = createFileMailer({ folder: emails, sender, log });
    await mailer.send(mail);
    await mailer.send(mail);
    expect(await readdir(emails)).toEqual(['0190-id.eml']);
    const file = join(emails, '0190-id.eml');
    expect(await readFile(file, 'utf8')).toMatch(/^From: Our shows[\s\S]*Hello Ana,[\s\S]*<p>/m);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(emails)).mode & 0o777).toBe(0o700);
    expect(lines.join()).toContain(file);
    // A shorter text could be part of the folder's random name.
    expect(lines.join()).not.toMatch(/Hello|ana@|Grüße/);
  });

  const write = async (changed: Partial<Mail>) => {
    const mailer = createFileMailer({ folder, sender, log: createLog('silent') });
    await mailer.send({ ...mail, ...changed });
    return await readFile(join(folder, `${mail.id}.eml`), 'utf8');
  };

  it('an email as a file has its links as they are, to be copied', async () => {
    const link = `https://pods.example.com/app/email/confirm?token=${'a'.repeat(43)}&next=%2Fapp`;
    const written = await write({
      text: `Grüße, ${link}\n`,
      html: `<a href="${link}">Grüße</a>\n`,
    });
    expect(written).toContain(`\r\n\r\nGrüße, ${link}\r\n`);
    expect(written).toContain(`\r\n\r\n<a href="${link}">Grüße</a>\r\n`);
  });

  it('an email as a file has no line that is longer than emails may have', async () => {
    const written = await write({ text: `${'ü'.repeat(500)}\n` });
    const lengths = written.split('\r\n').map((line) => Buffer.byteLength(line));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(998);
    expect(written.match(/^Content-Transfer-Encoding: .*$/gm)).toHaveLength(2);
  });
});
