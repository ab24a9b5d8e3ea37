/** A rendered email to one recipient. */
export interface Mail {
  /**
   * The same for every attempt: it becomes the Message-ID, by which mail programs detect
   * duplicates.
   */
  readonly id: string;
  /** A plain email address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly date: Date;
}

export interface Mailer {
  /** Resolves when another server has accepted the email. Throws MailError. */
  send(mail: Mail): Promise<void>;
}

export type MailFailure =
  | 'refused' // this email, permanently
  | 'deferred' // this email, temporarily
  | 'blocked' // this email and probably others, until somebody does something about it
  | 'away'; // any email: no connection, no login, no sender

/** Contains neither the recipient nor the server's reply, which often repeats the address. */
export class MailError extends Error {
  readonly failure: MailFailure;
  /** For the log: the server's reply code, or the code of an earlier error. */
  readonly reason: string;
  /** For the log: which setting the operator should check. */
  readonly advice: string | undefined;

  constructor(failure: MailFailure, reason: string, advice?: string) {
    super(`an email was not accepted: ${failure} (${reason})`);
    this.name = 'MailError';
    this.failure = failure;
    this.reason = reason;
    this.advice = advice;
  }
}
