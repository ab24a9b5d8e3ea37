import { MailError, type MailFailure } from './mailer.ts';

/** An error of Nodemailer. */
export interface SmtpError {
  readonly message?: string;
  readonly code?: string;
  /** The system's code, before Nodemailer replaced it. */
  readonly originalCode?: string;
  readonly command?: string;
  /** The server's reply code, if it replied. */
  readonly responseCode?: number;
}

/** Only rejections of the recipient or the email are not faults of the server or our settings. */
export function explainSmtpError(error: SmtpError): MailError {
  const { code, originalCode, command, responseCode } = error;
  const reason = String(responseCode ?? originalCode ?? code ?? 'unknown');
  const isOfEmail = command === 'RCPT TO' || command === 'DATA';
  if (!isOfEmail || responseCode === undefined) {
    return new MailError('away', reason, advise(error));
  }
  const failure: MailFailure = responseCode >= 500 ? 'refused' : 'deferred';
  return new MailError(failure, reason);
}

interface Advice {
  readonly fits: (error: SmtpError) => boolean;
  readonly words: string;
}

const isCode =
  (...codes: readonly string[]) =>
  ({ code = '', originalCode = '' }: SmtpError): boolean =>
    codes.includes(code) || codes.includes(originalCode);
const says =
  (words: RegExp) =>
  ({ message = '', originalCode = '' }: SmtpError): boolean =>
    words.test(message) || words.test(originalCode);

/** The first match is used. */
const advices: readonly Advice[] = [
  {
    fits: isCode('EAUTH', 'ENOAUTH', 'EOAUTH2'),
    words: 'The mail server refused the login: check user and password in SMTP_URL.',
  },
  {
    fits: ({ command, responseCode }) => command === 'MAIL FROM' && responseCode !== undefined,
    words: 'The mail server refused the sender: check MAIL_FROM.',
  },
  {
    fits: says(/certificate|_CERT|CERT_|_SIGNATURE/i),
    words:
      "The mail server's certificate is not trusted: use the certificate's host name in " +
      'SMTP_URL, or add the authority that signed it with NODE_EXTRA_CA_CERTS.',
  },
  {
    fits: says(/wrong version number|packet length too long/i),
    words: 'The mail server does not use TLS from the start on this port: use smtp:// in SMTP_URL.',
  },
  {
    fits: isCode('ECONNREFUSED'),
    words: 'Nothing is listening there: check host and port in SMTP_URL.',
  },
  {
    fits: isCode('ENOTFOUND', 'EAI_AGAIN', 'EDNS'),
    words: "The mail server's host was not found: check SMTP_URL.",
  },
  {
    fits: says(/greeting never received/i),
    words:
      'The mail server sent no greeting: check host and port in SMTP_URL, and use smtps:// if ' +
      'the port uses TLS from the start (465).',
  },
  {
    fits: isCode('ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'),
    words:
      'The mail server does not respond: check host and port in SMTP_URL, and firewalls in between.',
  },
];

function advise(error: SmtpError): string | undefined {
  return advices.find(({ fits }) => fits(error))?.words;
}
