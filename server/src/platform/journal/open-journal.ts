import { randomUUID } from 'node:crypto';
import { reportRarely } from '../../lib/report-rarely.ts';
import { earliest } from '../../lib/time.ts';
import { syncFolder } from '../blob-store/durable-file.ts';
import type { AdoptedJournal, Journal, JournalOptions, Segment } from './journal.ts';
import { JournalFolder } from './journal-folder.ts';
import { SegmentFile, SegmentFiles } from './segment-file.ts';

const syncEveryMs = 1_000;
const retryAfterMs = 1_000;

/** Opens a journal of this process. It uses the disk only from the first line or `adopt` on. */
export function openJournal(options: JournalOptions): Journal {
  return new FileJournal(options);
}

class FileJournal implements Journal {
  readonly id = randomUUID();
  readonly #options: JournalOptions;
  readonly #unwritten = new UnwrittenLines();
  readonly #own = new SegmentFiles();
  readonly #adopted = new Set<Adopted>();
  #folder: JournalFolder | undefined;
  /** The segment that is being written. */
  #current: SegmentFile | undefined;
  #dropped = 0;
  #newerBytes = 0;
  #tasks = Promise.resolve();
  #isWriting = false;
  #isClosed = false;
  #isHandedOver = false;
  #isFolderKept = false;
  #retry: NodeJS.Timeout | undefined;
  #syncTimer: NodeJS.Timeout | undefined;
  readonly #report = reportRarely((error: unknown) =>
    this.#options.report({ error, dropped: this.#dropped }),
  );

  constructor(options: JournalOptions) {
    this.#options = options;
  }

  get droppedCount(): number {
    return this.#dropped;
  }

  get sizeBytes(): number {
    let bytes = this.#unwritten.sizeBytes + this.#own.sizeBytes;
    for (const { files } of this.#adopted) bytes += files.sizeBytes;
    return bytes;
  }

  get waitingSince(): Date | undefined {
    const adopted = [...this.#adopted].flatMap(({ segments }) => [...segments]);
    const starts = [...this.#own.all, ...adopted].map(({ startedAt }) => startedAt);
    return earliest([...starts, this.#unwritten.since]);
  }

  get earliestAt(): Date | undefined {
    const written = [...this.#own.all].map((segment) => segment.earliestAt);
    return earliest([...written, this.#unwritten.earliestAt]);
  }

  get segments(): readonly Segment[] {
    return [...this.#own.all].filter((segment) => segment !== this.#current);
  }

  get adopted(): readonly AdoptedJournal[] {
    return [...this.#adopted];
  }

  get newerBytes(): number {
    return this.#newerBytes;
  }

  append(line: string, at: Date, events = 1): boolean {
    const { maxBytes, maxUnwrittenBytes } = this.#options;
    const bytes = Buffer.byteLength(line) + 1;
    const isFull =
      this.sizeBytes + bytes > maxBytes || this.#unwritten.sizeBytes + bytes > maxUnwrittenBytes;
    if (this.#isClosed || isFull || line.includes('\n')) {
      this.#dropped += events;
      this.#report(undefined);
      return false;
    }
    this.#unwritten.add({ line, bytes, at, since: this.#options.now(), events });
    this.#startWriting();
    return true;
  }

  async completeSegment(): Promise<void> {
    await this.#run(() => this.#writeAll());
    await this.#run(() => this.#completeCurrent());
  }

  async handOverUnwritten(): Promise<Segment | undefined> {
    await this.completeSegment();
    await this.#run(async () => {
      this.#isHandedOver = !this.#isClosed && this.#unwritten.count > 0;
    });
    const { since } = this.#unwritten;
    if (since === undefined || !this.#isHandedOver) return undefined;
    const batch = this.#unwritten.peek(Number.POSITIVE_INFINITY);
    return {
      id: randomUUID(),
      startedAt: since,
      sizeBytes: batch.bytes.length,
      readLines: async () => batch.bytes.toString().split('\n').slice(0, -1),
      remove: async () => this.#unwritten.remove(batch),
    };
  }

  adopt(): Promise<void> {
    return this.#run(() => this.#adoptFolders());
  }

  keepFolder(): void {
    this.#isFolderKept = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#syncTimer);
    await this.completeSegment();
    await this.#run(() => this.#sync());
    this.#dropped += this.#unwritten.eventCount;
    await this.#run(async () => {
      if (this.#own.all.size === 0 && !this.#isFolderKept) await this.#folder?.remove();
    });
    this.#leaveFolder();
    for (const { folder } of this.#adopted) folder[Symbol.dispose]();
  }

  /** Runs tasks one after the other. A failed task is reported, and the next one begins. */
  #run(task: () => Promise<void>): Promise<void> {
    this.#tasks = this.#tasks.then(task).catch((error: unknown) => this.#report(error));
    return this.#tasks;
  }

  /** Writes until nothing waits. After a failure, tries again in a second. */
  #startWriting(): void {
    if (this.#isWriting) return;
    this.#isWriting = true;
    void this.#run(async () => {
      try {
        await this.#writeAll();
        this.#isWriting = false;
      } catch (error) {
        this.#retry = setTimeout(() => {
          this.#isWriting = false;
          this.#startWriting();
        }, retryAfterMs).unref();
        throw error;
      }
    });
  }

  async #writeAll(): Promise<void> {
    const { segmentBytes } = this.#options;
    // What is handed over is counted elsewhere, and would count twice.
    while (this.#unwritten.count > 0 && !this.#isHandedOver) {
      const batch = this.#unwritten.peek(segmentBytes);
      const segment = this.#current ?? (await this.#startSegment());
      await segment.write(batch.bytes, batch.earliestAt);
      this.#unwritten.remove(batch);
      this.#scheduleSync();
      if (segment.sizeBytes >= segmentBytes) await this.#completeCurrent();
    }
  }

  async #startSegment(): Promise<SegmentFile> {
    const startedAt = this.#unwritten.since ?? this.#options.now();
    const folder = await this.#ensureFolder();
    try {
      this.#current = await SegmentFile.create(folder.path, this.#own, startedAt);
      return this.#current;
    } catch (error) {
      // The folder was removed. The next attempt creates it again.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') this.#leaveFolder();
      throw error;
    }
  }

  async #ensureFolder(): Promise<JournalFolder> {
    this.#folder ??= await JournalFolder.create(this.#options.folder, this.#name);
    return this.#folder;
  }

  get #name() {
    return { id: this.id, format: this.#options.format };
  }

  #leaveFolder(): void {
    this.#folder?.[Symbol.dispose]();
    this.#folder = undefined;
  }

  async #completeCurrent(): Promise<void> {
    const segment = this.#current;
    this.#current = undefined;
    await segment?.complete();
  }

  #scheduleSync(): void {
    if (this.#isClosed) return;
    this.#syncTimer ??= setTimeout(() => {
      this.#syncTimer = undefined;
      // Not a task, because writes need not wait for it.
      this.#sync().catch((error: unknown) => this.#report(error));
    }, syncEveryMs).unref();
  }

  /** Syncs segments that still exist. Many are read and removed before. */
  async #sync(): Promise<void> {
    const unsynced = [...this.#own.all].filter(({ isSynced }) => !isSynced);
    for (const segment of unsynced) await segment.sync();
    if (unsynced.length > 0 && this.#folder !== undefined) await syncFolder(this.#folder.path);
  }

  async #adoptFolders(): Promise<void> {
    await this.#ensureFolder();
    const report = (error: unknown) => this.#report(error);
    const found = await JournalFolder.adopt(this.#options.folder, this.#name, report);
    this.#newerBytes = found.newerBytes;
    for (const folder of found.adopted) {
      try {
        const files = await SegmentFile.list(folder.path);
        this.#adopted.add(new Adopted(folder, files, this.#adopted));
      } catch (error) {
        folder[Symbol.dispose]();
        report(error);
      }
    }
  }
}

class Adopted implements AdoptedJournal {
  readonly folder: JournalFolder;
  readonly files: SegmentFiles;
  readonly #others: Set<Adopted>;

  constructor(folder: JournalFolder, files: SegmentFiles, others: Set<Adopted>) {
    this.folder = folder;
    this.files = files;
    this.#others = others;
  }

  get segments(): ReadonlySet<SegmentFile> {
    return this.files.all;
  }

  get id(): string {
    return this.folder.id;
  }

  async remove(): Promise<void> {
    this.#others.delete(this);
    await this.folder.remove();
  }
}

/** Lines in memory, in the order of their arrival. */
class UnwrittenLines {
  #lines: WaitingLine[] = [];
  #sizeBytes = 0;

  get count(): number {
    return this.#lines.length;
  }

  /** How many events the lines tell. */
  get eventCount(): number {
    return this.#lines.reduce((sum, { events }) => sum + events, 0);
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** When the first waiting line arrived. */
  get since(): Date | undefined {
    return this.#lines[0]?.since;
  }

  /** The earliest time that a line is about. */
  get earliestAt(): Date | undefined {
    return earliest(this.#lines.map(({ at }) => at));
  }

  add(line: WaitingLine): void {
    this.#lines.push(line);
    this.#sizeBytes += line.bytes;
  }

  /** The first lines, until they have `aboutBytes`. There must be at least one. */
  peek(aboutBytes: number): LineBatch {
    let [count, bytes] = [0, 0];
    while (count < this.#lines.length && bytes < aboutBytes) {
      bytes += this.#lines[count]?.bytes ?? 0;
      count += 1;
    }
    const lines = this.#lines.slice(0, count);
    return {
      count,
      bytes: Buffer.from(lines.map(({ line }) => `${line}\n`).join('')),
      earliestAt: earliest(lines.map(({ at }) => at)) ?? new Date(0),
    };
  }

  remove({ count, bytes }: LineBatch): void {
    this.#lines = this.#lines.slice(count);
    this.#sizeBytes -= bytes.length;
  }
}

interface WaitingLine {
  readonly line: string;
  /** With the line break. */
  readonly bytes: number;
  readonly at: Date;
  readonly since: Date;
  readonly events: number;
}

interface LineBatch {
  readonly count: number;
  readonly bytes: Buffer;
  readonly earliestAt: Date;
}
