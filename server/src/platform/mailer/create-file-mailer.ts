import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { renameDurably, writeDurably } from '../blob-store/durable-file.ts';
import { makeFolder } from '../files/make-folder.ts';
import type { Log } from '../log/log.ts';
import type { Mail, Mailer } from './mailer.ts';
import { addressMail, loadOnce, type Sender } from './sender.ts';

export interface FileMailerOptions {
  readonly folder: string;
  readonly sender: Sender;
  readonly log: Log;
}

// Emails may contain links that open an account.
const folderMode = 0o700;
const fileMode = 0o600;

/**
 * For installations without a mail server: writes each email to a file that mail programs open,
 * ID.eml.
 */
export function createFileMailer({ folder, sender, log }: FileMailerOptions): Mailer {
  const open = loadOnce(({ createTransport }) =>
    createTransport({ streamTransport: true, buffer: true }),
  );
  return {
    async send(mail: Mail) {
      const composer = await open();
      const { message } = await composer.sendMail({
        ...addressMail(mail, sender),
        text: asWritten('text/plain', mail.text),
        html: asWritten('text/html', mail.html),
      });
      await makeFolder(folder, folderMode);
      const file = join(folder, `${mail.id}.eml`);
      const draft = `${file}.${randomBytes(6).toString('hex')}`;
      try {
        await writeDurably(draft, message as Buffer, fileMode);
        await renameDurably(draft, file);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      log.info({ file }, 'an email was written to a file, because SMTP_URL is not set');
    },
  };
}

/** The longest line of an email, in bytes (RFC 5322, section 2.1.1). */
const longestLineBytes = 998;

/**
 * A part of an email as it is written, so that people can copy a link from the file. Nodemailer would
 * encode it, with breaks inside of links; it does so if a line is too long.
 */
function asWritten(type: string, content: string): string | { readonly raw: string } {
  const lines = content.split(/\r?\n/);
  if (lines.some((line) => Buffer.byteLength(line) > longestLineBytes)) return content;
  const headers = [`Content-Type: ${type}; charset=utf-8`, 'Content-Transfer-Encoding: 8bit'];
  return { raw: [...headers, '', ...lines].join('\r\n') };
}
