import { MailError } from './mailer.ts';

/** An error of Nodemailer. */
export interface SmtpError {
  readonly message?: string;
  readonly code?: string;
  /** The system's code, before Nodemailer replaced it. */
  readonly originalCode?: string;
  readonly command?: string;
  /** The server's reply, and its code, if it replied. */
  readonly response?: string;
  readonly responseCode?: number;
}

/**
 * Only what no other attempt can change is final: that the recipient's address doesn't exist or takes no email, and
 * that a server doesn't take this email. Servers also reject each recipient until somebody has changed their settings,
 * raised a limit, or paid.
 */
export function explainSmtpError(error: SmtpError): MailError {
  const { code, originalCode, command, responseCode } = error;
  const reason = String(responseCode ?? originalCode ?? code ?? 'unknown');
  const isOfEmail = command === 'RCPT TO' || command === 'DATA';
  if (!isOfEmail || responseCode === undefined) {
    return new MailError('away', reason, advise(error));
  }
  const [status] = /\b5\.\d{1,3}\.\d{1,3}\b/.exec(error.response ?? '') ?? [];
  // 5.4.1 is how Exchange says that there is no such recipient.
  const isOfSender = status !== undefined && !/^5\.(?:[126]\.|4\.1$)/.test(status);
  const words = [responseCode, status].filter((word) => word !== undefined).join(' ');
  if (responseCode >= 500 && isOfSender) return new MailError('blocked', words, refusedHere);
  return new MailError(responseCode >= 500 ? 'refused' : 'deferred', words);
}

const refusedHere =
  'The mail server refuses to send: check that it relays for this machine and MAIL_FROM, and its limits.';

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
