import { loadOnce } from './load-once.ts';
import { type Mail, MailError, type Mailer, type MailFailure } from './mailer.ts';
import { addressMail, type Sender } from './sender.ts';

const connectTimeoutMs = 15_000;
const silenceTimeoutMs = 30_000;
/** Well below the time for which a letter is in its sender's hands. */
const letterTimeoutMs = 120_000;

export interface SmtpOptions {
  /** smtp://user:password@host:port, or smtps:// */
  readonly url: string;
  readonly sender: Sender;
}

/** Hands letters to a mail server, each by a connection of its own. */
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
      const signal = AbortSignal.timeout(letterTimeoutMs);
      try {
        await transport.sendMail({ ...addressMail(mail, sender), signal });
      } catch (error) {
        throw explain(error as SmtpError);
      }
    },
  };
}

interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  /** What the server replied, when it did. */
  readonly responseCode?: number;
}

/** Only what is said of the reader, or of the letter itself, is no fault of the server or of us. */
function explain({ code, command, responseCode }: SmtpError): MailError {
  const reason = String(responseCode ?? code ?? 'unknown');
  const isOfLetter = command === 'RCPT TO' || command === 'DATA';
  if (!isOfLetter || responseCode === undefined) return new MailError('away', reason);
  const failure: MailFailure = responseCode >= 500 ? 'refused' : 'deferred';
  return new MailError(failure, reason);
}
