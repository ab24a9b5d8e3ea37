import { explainSmtpError, type SmtpError } from './explain-smtp-error.ts';
import type { Mail, Mailer } from './mailer.ts';
import { addressMail, loadOnce, type Sender } from './sender.ts';

const connectTimeoutMs = 15_000;
const silenceTimeoutMs = 30_000;
/** Well below the lifetime of a sender's claim on an email. */
const emailTimeoutMs = 120_000;

export interface SmtpOptions {
  /** smtp://user:password@host:port, or smtps:// */
  readonly url: string;
  readonly sender: Sender;
}

/** Sends emails to a mail server, with a connection for each. */
export function createSmtpMailer({ url, sender }: SmtpOptions): Mailer {
  const open = loadOnce(({ createTransport }) =>
    createTransport({
      url,
      connectionTimeout: connectTimeoutMs,
      greetingTimeout: connectTimeoutMs,
      dnsTimeout: connectTimeoutMs,
      socketTimeout: silenceTimeoutMs,
    }),
  );
  return {
    async send(mail: Mail) {
      const transport = await open();
      const signal = AbortSignal.timeout(emailTimeoutMs);
      try {
        await transport.sendMail({ ...addressMail(mail, sender), signal });
      } catch (error) {
        throw explainSmtpError(error as SmtpError);
      }
    },
  };
}
