/**
 * The consecutive revisions that only this tab has made. Data that was read at one of them is still
 * valid at the last, except for the tab's own writes.
 */
export class KnownRevisions {
  #from: number;
  #to: number;

  constructor(revision: number) {
    this.#from = revision;
    this.#to = revision;
  }

  /** The newest revision at which the data are still valid. */
  newestSince(readAt: number): number {
    return readAt >= this.#from && readAt <= this.#to ? this.#to : readAt;
  }

  noteLoad(revision: number): void {
    if (revision !== this.#to) this.#restart(revision);
  }

  /** A write over `sentAt` made one revision, if it changed anything. */
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
