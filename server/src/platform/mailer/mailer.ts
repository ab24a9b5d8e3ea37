/** One letter to one reader, in words already. */
export interface Mail {
  /** The same however often it is sent: its Message-ID tells readers' programmes so. */
  readonly id: string;
  /** A plain address. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly date: Date;
}

export interface Mailer {
  /** Resolves when somebody else is answerable for the letter. Throws MailError. */
  send(mail: Mail): Promise<void>;
}

export type MailFailure =
  | 'refused' // this letter, for good
  | 'deferred' // this letter, for now
  | 'away'; // any letter: no connection, no login, no sender

/** Says nothing of the reader or of what the server answered: that often repeats the address. */
export class MailError extends Error {
  readonly failure: MailFailure;
  /** For the log: the server's reply code, or the code of what went wrong before it had a say. */
  readonly reason: string;

  constructor(failure: MailFailure, reason: string) {
    super(`a letter was not taken: ${failure} (${reason})`);
    this.name = 'MailError';
    this.failure = failure;
    this.reason = reason;
  }
}
