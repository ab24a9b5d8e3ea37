import { ApiError, isSignedOut } from '../api/errors.ts';
import type { Clock } from '../editor/clock.ts';
import { newId } from '../lib/new-id.ts';
import type { ItemStore } from './item-store.ts';
import { chooseNextStep } from './next-step.ts';
import type { SendOptions } from './send-file.ts';
import {
  isSameTarget,
  type StoredUpload,
  type UploadItem,
  type UploadResult,
  type UploadState,
  type UploadTarget,
} from './upload-item.ts';

/** Functions and objects that the queue uses. */
export interface UploadPorts {
  readonly userId: string;
  readonly store: ItemStore;
  readonly clock: Clock;
  fingerprint(file: File): Promise<string>;
  hash(file: File, signal: AbortSignal): Promise<string>;
  send(options: SendOptions): Promise<void>;
  /** Uses the file for its purpose. */
  finish(url: string, target: UploadTarget, sha256: string): Promise<UploadResult>;
  /** Removes the server's part of it. */
  remove(url: string): Promise<void>;
  whenSignedIn(): Promise<void>;
  onReady(item: UploadItem): void;
}

/** One upload: its stored data, and the state that only this page has. */
interface Job {
  stored: StoredUpload;
  state: UploadState;
  sentBytes: number;
  file: File | undefined;
  sha256: Promise<string> | undefined;
  failures: number;
  readonly cancelled: AbortController;
  /** The server wants no requests until then. */
  notBefore: number;
  /** Ends the wait before the next attempt. */
  wake: () => void;
}

const mostAtOnce = 2;
const longestPauseMs = 5_000;

/**
 * All uploads of this page, two at a time. It exists as long as the page, on every screen. After a
 * reload it lists the unfinished uploads, and requests their files.
 */
export class UploadQueue {
  readonly #ports: UploadPorts;
  readonly #jobs = new Map<string, Job>();
  readonly #listeners = new Set<() => void>();
  #items: readonly UploadItem[] = [];

  constructor(ports: UploadPorts) {
    this.#ports = ports;
    for (const stored of ports.store.list()) {
      const isSent = stored.sha256 !== null;
      this.#put(stored, isSent ? 'waiting' : 'file_needed', undefined);
    }
    this.#publish();
    this.#startNext();
  }

  /** The same array until something changes. */
  readonly list = (): readonly UploadItem[] => this.#items;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Sends a file, or continues the same one for the same purpose. Resolves to the upload's id. */
  async add(file: File, target: UploadTarget): Promise<string> {
    const fingerprint = await this.#ports.fingerprint(file);
    const known = [...this.#jobs.values()].find(
      ({ stored, state }) =>
        state.kind === 'file_needed' &&
        stored.fingerprint === fingerprint &&
        isSameTarget(stored.target, target),
    );
    if (known !== undefined) {
      this.#continue(known, file);
      return known.stored.id;
    }
    const { name: filename, size: sizeBytes } = file;
    const fresh = { url: null, sentBytes: 0, sha256: null };
    const id = newId();
    const { userId } = this.#ports;
    this.#put({ id, userId, target, filename, sizeBytes, fingerprint, ...fresh }, 'waiting', file);
    this.#publish();
    this.#startNext();
    return id;
  }

  /** Continues after a reload. False: it is another file. */
  async provide(id: string, file: File): Promise<boolean> {
    const job = this.#jobs.get(id);
    if (job?.state.kind !== 'file_needed') return false;
    if ((await this.#ports.fingerprint(file)) !== job.stored.fingerprint) return false;
    this.#continue(job, file);
    return true;
  }

  /** Repeats failed uploads. */
  retry(id: string): void {
    const job = this.#jobs.get(id);
    if (job?.state.kind !== 'failed') return;
    job.failures = 0;
    const needsFile = job.file === undefined && job.stored.sha256 === null;
    this.#set(job, { kind: needsFile ? 'file_needed' : 'waiting' });
    this.#startNext();
  }

  /** The connection may be back. A server that wants no requests yet still gets none. */
  readonly wakeAll = (): void => {
    const now = this.#ports.clock.now();
    for (const job of this.#jobs.values()) if (job.notBefore <= now) job.wake();
  };

  /** Ends an upload, and removes the server's part of it. */
  async cancel(id: string): Promise<void> {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    job.cancelled.abort(new DOMException('cancelled', 'AbortError'));
    job.wake();
    this.dismiss(id);
    const { url } = job.stored;
    // If it cannot be removed, it expires.
    if (url !== null && job.state.kind !== 'ready') await this.#ports.remove(url).catch(() => {});
  }

  /** Removes finished and failed uploads from the list. */
  dismiss(id: string): void {
    this.#jobs.delete(id);
    this.#ports.store.remove(id);
    this.#publish();
    this.#startNext();
  }

  /** Whether leaving the page would interrupt something. */
  readonly isBusy = (): boolean =>
    this.#items.some(({ state }) => ['waiting', 'sending', 'paused'].includes(state.kind));

  #put(stored: StoredUpload, kind: 'waiting' | 'file_needed', file: File | undefined): void {
    this.#jobs.set(stored.id, {
      ...{ stored, file, state: { kind }, sentBytes: stored.sentBytes, sha256: undefined },
      ...{ failures: 0, notBefore: 0, cancelled: new AbortController(), wake: () => {} },
    });
    this.#ports.store.put(stored);
  }

  #continue(job: Job, file: File): void {
    job.file = file;
    this.#set(job, { kind: 'waiting' });
    this.#startNext();
  }

  #startNext(): void {
    const jobs = [...this.#jobs.values()];
    const running = jobs.filter(({ state }) =>
      ['sending', 'paused', 'checking'].includes(state.kind),
    );
    const next = jobs.find(({ state }) => state.kind === 'waiting');
    if (next === undefined || running.length >= mostAtOnce) return;
    this.#set(next, { kind: 'sending' });
    void this.#run(next).finally(() => this.#startNext());
    this.#startNext();
  }

  async #run(job: Job): Promise<void> {
    const { signal } = job.cancelled;
    while (!signal.aborted) {
      try {
        if (job.stored.sha256 === null) await this.#send(job);
        const result = await this.#finish(job);
        if (signal.aborted) return;
        this.#ports.store.remove(job.stored.id);
        this.#set(job, { kind: 'ready', result });
        this.#ports.onReady(toItem(job));
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (!(await this.#recover(job, error))) return;
      }
    }
  }

  async #send(job: Job): Promise<void> {
    const { file } = job;
    if (file === undefined) throw new Error('the file is not there');
    const { signal } = job.cancelled;
    this.#set(job, { kind: 'sending' });
    job.sha256 ??= this.#ports.hash(file, signal);
    job.sha256.catch(() => {});
    const before = job.sentBytes;
    await this.#ports.send({
      ...{ file, signal, target: job.stored.target, url: job.stored.url },
      onUrl: (url) => this.#store(job, { url }),
      onProgress: (sentBytes) => {
        if (signal.aborted) return;
        if (sentBytes > before) job.failures = 0;
        job.sentBytes = sentBytes;
        this.#set(job, { kind: 'sending' });
      },
    });
    this.#store(job, { sha256: await job.sha256, sentBytes: file.size });
  }

  async #finish(job: Job): Promise<UploadResult> {
    const { url, target, sha256 } = job.stored;
    this.#set(job, { kind: 'checking' });
    return await this.#ports.finish(url ?? '', target, sha256 ?? '');
  }

  /** True: it is tried again. */
  async #recover(job: Job, error: unknown): Promise<boolean> {
    const next = chooseNextStep(error, job.stored.url !== null);
    if (next === 'anew') this.#store(job, { url: null, sha256: null, sentBytes: 0 });
    if (next === 'rest') this.#store(job, { sha256: null });
    if (next === 'fail' || (next !== 'wait' && job.file === undefined)) {
      const needsFile = next !== 'fail';
      this.#set(job, needsFile ? { kind: 'file_needed' } : { kind: 'failed', error: asApi(error) });
      return false;
    }
    job.failures += 1;
    if (isSignedOut(error)) {
      this.#set(job, { kind: 'paused', reason: 'signed_out' });
      await this.#ports.whenSignedIn();
    } else if (next === 'wait') {
      this.#set(job, { kind: 'paused', reason: 'connection' });
      await this.#pause(job, (error as ApiError).retryAfterSeconds ?? 0);
    } else if (job.failures > 3) {
      this.#set(job, { kind: 'failed', error: asApi(error) });
      return false;
    }
    return true;
  }

  async #pause(job: Job, leastSeconds: number): Promise<void> {
    const longest = Math.min(longestPauseMs, 1_000 * 2 ** Math.min(job.failures - 1, 10));
    const { clock } = this.#ports;
    job.notBefore = clock.now() + leastSeconds * 1000;
    await new Promise<void>((resolve) => {
      const pause = Math.max(longest * (0.5 + clock.random() / 2), leastSeconds * 1000);
      const stop = clock.after(pause, resolve);
      job.wake = () => {
        stop();
        resolve();
      };
    });
    job.wake = () => {};
  }

  #store(job: Job, changes: Partial<StoredUpload>): void {
    if (job.cancelled.signal.aborted) return;
    job.stored = { ...job.stored, sentBytes: job.sentBytes, ...changes };
    if (changes.sentBytes !== undefined) job.sentBytes = changes.sentBytes;
    this.#ports.store.put(job.stored);
  }

  #set(job: Job, state: UploadState): void {
    job.state = state;
    this.#publish();
  }

  #publish(): void {
    this.#items = [...this.#jobs.values()].map(toItem);
    for (const listener of [...this.#listeners]) listener();
  }
}

function toItem({ stored, state, sentBytes }: Job): UploadItem {
  const { id, target, filename, sizeBytes } = stored;
  return { id, target, filename, sizeBytes, sentBytes, state };
}

function asApi(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const message = 'The file cannot be read any more.';
  return new ApiError({ status: 400, code: 'unreadable', message });
}
