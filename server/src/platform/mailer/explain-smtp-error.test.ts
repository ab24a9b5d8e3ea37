import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../test/free-port.ts';
import { openMailHost, smtpError } from '../../../test/hosts/mail-host.ts';
import { createSmtpMailer } from './create-smtp-mailer.ts';
import { explainSmtpError } from './explain-smtp-error.ts';
import type { MailError } from './mailer.ts';

const folder = mkdtempSync(join(tmpdir(), 'podstead-mail-tls-'));
afterAll(() => rmSync(folder, { recursive: true }));
const certificate = makeCertificate();
if (!certificate) console.warn('SKIPPED: refused certificates of mail servers, no openssl.');

function makeCertificate(): { key: Buffer; cert: Buffer } | undefined {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const form = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  try {
    const args = ['req', ...form, '-subj', '/CN=mail.test', '-keyout', key, '-out', cert];
    execFileSync('openssl', args, { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  return { key: readFileSync(key), cert: readFileSync(cert) };
}

async function failWith(url: string): Promise<MailError> {
  const mailer = createSmtpMailer({ url, sender: { name: '', address: 'shows@example.com' } });
  const mail = { id: 'i', to: 'ana@example.com', subject: 's', text: 't', html: 'h' };
  return await mailer.send({ ...mail, date: new Date() }).then(
    () => expect.unreachable('it was sent'),
    (error: MailError) => error,
  );
}

describe('a mail server that refuses emails', () => {
  it.runIf(certificate)(
    'an SMTP error is explained by a certificate that nobody signed',
    async () => {
      const secure = { ...certificate, hideSTARTTLS: false };
      await using direct = await openMailHost({ ...secure, secure: true });
      await using upgraded = await openMailHost(secure);
      for (const url of [direct.url.replace('smtp:', 'smtps:'), upgraded.url]) {
        expect(await failWith(url)).toMatchObject({
          failure: 'away',
          advice: expect.stringMatching(/certificate.*SMTP_URL.*NODE_EXTRA_CA_CERTS/),
        });
      }
    },
  );

  it('an SMTP error is explained by a server that does not exist', async () => {
    expect(await failWith(`smtp://127.0.0.1:${await freePort()}`)).toMatchObject({
      reason: 'ECONNREFUSED',
      advice: expect.stringContaining('check host and port in SMTP_URL'),
    });
  });

  it('an SMTP error is explained by a server that does not offer the required TLS', async () => {
    await using host = await openMailHost();
    const { advice } = await failWith(host.url.replace('smtp:', 'smtps:'));
    expect(advice).toContain('use smtp:// in SMTP_URL');
  });

  it('refuses the login', async () => {
    const onAuth = (_: unknown, __: unknown, done: (error: Error) => void) =>
      done(smtpError(535, 'who are you'));
    await using host = await openMailHost({ onAuth, allowInsecureAuth: true });
    const { reason, advice } = await failWith(host.url.replace('smtp://', 'smtp://me:secret@'));
    expect({ reason, advice }).toEqual({
      reason: '535',
      advice: expect.stringContaining('user and password in SMTP_URL'),
    });
    expect(advice).not.toContain('secret');
  });

  it('refuses the sender', async () => {
    const onMailFrom = (_: unknown, __: unknown, done: (error: Error) => void) =>
      done(smtpError(550, 'not from you'));
    await using host = await openMailHost({ onMailFrom });
    expect((await failWith(host.url)).advice).toContain('MAIL_FROM');
  });

  it.each([
    [{ code: 'ESOCKET', originalCode: 'CERT_HAS_EXPIRED' }, 'certificate'],
    [{ code: 'ESOCKET', originalCode: 'ERR_TLS_CERT_ALTNAME_INVALID' }, 'certificate'],
    [{ code: 'ESOCKET', originalCode: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }, 'certificate'],
    [{ code: 'EDNS', originalCode: 'ENOTFOUND' }, 'not found'],
    [{ code: 'ETIMEDOUT', message: 'Connection timeout' }, 'does not respond'],
    [{ code: 'ETIMEDOUT', message: 'Greeting never received' }, 'smtps://'],
  ])('%o', (error, words) => {
    expect(explainSmtpError(error).advice).toContain(words);
  });

  it.each([
    ['550 5.1.1 No such user: ana@example.com', 'refused', '550 5.1.1'],
    ['550 No such user', 'refused', '550'],
    ['550 5.4.1 Recipient address rejected: Access denied', 'refused', '550 5.4.1'],
    ['552 5.2.2 Mailbox full', 'refused', '552 5.2.2'],
    ['554 5.6.0 What an email', 'refused', '554 5.6.0'],
    ['554 5.7.1 <ana@example.com>: Relay access denied', 'blocked', '554 5.7.1'],
    ['550 5.4.5 Daily sending quota exceeded', 'blocked', '550 5.4.5'],
    ['450 4.2.1 Try later', 'deferred', '450'],
  ] as const)('an email to a server that replies %s is %s', async (reply, failure, reason) => {
    await using host = await openMailHost();
    host.onRecipient = () => {
      throw smtpError(Number(reply.slice(0, 3)), reply.slice(4));
    };
    const error = await failWith(host.url);
    expect(error).toMatchObject({ failure, reason });
    expect(error.advice !== undefined).toBe(failure === 'blocked');
    expect(`${error.message} ${error.advice}`).not.toContain('ana@example.com');
  });
});
