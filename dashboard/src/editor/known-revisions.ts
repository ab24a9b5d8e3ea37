/**
 * The revisions that only this tab has made, one after the other. What was read at one of them holds at
 * the last, except for what the tab has written itself.
 */
export class KnownRevisions {
  #from: number;
  #to: number;

  constructor(revision: number) {
    this.#from = revision;
    this.#to = revision;
  }

  /** The newest revision at which what was read still holds. */
  newestSince(readAt: number): number {
    return readAt >= this.#from && readAt <= this.#to ? this.#to : readAt;
  }

  noteLoad(revision: number): void {
    if (revision !== this.#to) this.#restart(revision);
  }

  /** A write on top of `sentAt` made one revision, if it changed anything. */
  noteWrite(sentAt: number, revision: number): void {
    if (revision <= sentAt) return;
    if (sentAt !== this.#to) this.#restart(sentAt);
    this.#to = sentAt + 1;
  }

  #restart(revision: number): void {
    this.#from = revision;
    this.#to = revision;
  }
}
