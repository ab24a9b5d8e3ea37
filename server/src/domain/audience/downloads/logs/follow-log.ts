import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '../../../../lib/uuid.ts';
import { NotAFileError } from '../../../../platform/files/open-regular-file.ts';
import type { Geo } from '../../../../platform/geo/geo.ts';
import type { Context } from '../../../foundation/context.ts';
import type { DownloadCounts } from '../delivery/download-counts.ts';
import { LogFollower } from './log-follower.ts';
import { claimLog, deleteOtherLogs, recordLogRead, releaseLog } from './logs.sql.ts';

const pollMs = 1_000;
/** The pause grows so many times while the log cannot be followed: each attempt may read much. */
const maxPauses = 8;
/** After this another process takes over from one that died; from one that stopped, at once. */
const claimMs = 8_000;
const renewMs = 2_000;
/** How often progress is reported if there are no new lines. */
const reportMs = 5_000;

/** Another process follows the log now. */
class HoldLostError extends Error {}

interface FollowOptions {
  readonly everyMs?: number;
  /** The counts of this process are added to these. */
  readonly counts?: DownloadCounts;
}

/**
 * Counts a log that a server writes, until it is disposed: across rotation, and from the last
 * position. Only one of several processes on a machine follows it. Errors are logged.
 */
export function followLog(
  ctx: Context,
  geo: Geo,
  path: string,
  { everyMs = pollMs, counts }: FollowOptions = {},
): AsyncDisposable {
  const stopping = new AbortController();
  const followed = new FollowedLog(ctx, geo, path, stopping.signal, counts);
  const ended = followed.run(everyMs);
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await ended;
    },
  };
}

/** Machines may have logs of the same name. */
const nameOf = (path: string) => `${hostname()}:${path}`;

/** For a process that starts: logs that were followed on this machine under earlier settings. */
export async function purgeOtherLogs({ db }: Context, path: string | undefined): Promise<void> {
  await deleteOtherLogs(db, { host: hostname(), name: path && nameOf(path) });
}

class FollowedLog {
  readonly #ctx: Context;
  readonly #geo: Geo;
  readonly #path: string;
  readonly #name: string;
  readonly #holder = newId();
  readonly #stopping: AbortSignal;
  readonly #counts: DownloadCounts | undefined;
  #follower: LogFollower | undefined;
  /** The file that was read last; null: this log was never followed. */
  #modifiedAt: Date | null = null;
  #firstHeldAt: Date | null = null;
  #heldAtMs = Number.NEGATIVE_INFINITY;
  #notedAtMs = Number.NEGATIVE_INFINITY;
  /** The last reported trouble; '': none. */
  #trouble = '';

  constructor(
    ctx: Context,
    geo: Geo,
    path: string,
    stopping: AbortSignal,
    counts: DownloadCounts | undefined,
  ) {
    this.#counts = counts;
    this.#ctx = ctx;
    this.#geo = geo;
    this.#path = path;
    this.#name = nameOf(path);
    this.#stopping = stopping;
    this.#noteCounted();
  }

  async run(everyMs: number): Promise<void> {
    // Also if much is read between two commits.
    const renewal = setInterval(() => this.#renew(), renewMs).unref();
    let pauses = 1;
    while (!this.#stopping.aborted) {
      try {
        await this.#readOn();
        this.#noteCounted();
        this.#report('', undefined);
        pauses = 1;
      } catch (error) {
        if (error instanceof HoldLostError) await this.#close();
        else if (!this.#stopping.aborted) this.#report(describe(error), error);
        // A missing log costs nothing to look for, and a rotation brings it back at once.
        if (!isMissing(error)) pauses = Math.min(2 * pauses, maxPauses);
      }
      await wait(everyMs * pauses, undefined, { signal: this.#stopping }).catch(() => undefined);
    }
    clearInterval(renewal);
    if (this.#counts !== undefined) this.#counts.logCountedAtMs = undefined;
    await this.#close();
    await releaseLog(this.#ctx.db, this.#name, this.#holder).catch(() => undefined);
  }

  async #readOn(): Promise<void> {
    const isHeld = this.#follower !== undefined && performance.now() - this.#heldAtMs < renewMs;
    if (!isHeld && !(await this.#hold(this.#ctx))) return await this.#close();
    this.#follower ??= new LogFollower(this.#path, {
      geo: this.#geo,
      followedSince: this.#firstHeldAt,
      signal: this.#stopping,
      onCounts: (counts) => this.#counts?.add(counts),
      onCommit: async (tx) => {
        if (!(await this.#hold(tx))) throw new HoldLostError();
      },
    });
    const completeUntil = this.#ctx.clock.now();
    const modifiedAt = await this.#follower.readOn(this.#ctx, this.#modifiedAt);
    const hasChanged = modifiedAt?.getTime() !== this.#modifiedAt?.getTime();
    if (!hasChanged && performance.now() - this.#notedAtMs < reportMs) return;
    const read = { name: this.#name, holder: this.#holder, modifiedAt, completeUntil };
    await recordLogRead(this.#ctx.db, read);
    this.#modifiedAt = modifiedAt;
    this.#notedAtMs = performance.now();
  }

  #noteCounted(): void {
    if (this.#counts !== undefined) this.#counts.logCountedAtMs = performance.now();
  }

  /** False: another process follows the log. */
  async #hold({ db }: Context): Promise<boolean> {
    const requestedAtMs = performance.now();
    const hold = await claimLog(db, this.#name, this.#holder, claimMs);
    if (hold === undefined) return false;
    this.#heldAtMs = requestedAtMs;
    this.#firstHeldAt = hold.firstHeldAt;
    if (this.#follower === undefined) this.#modifiedAt = hold.modifiedAt;
    return true;
  }

  #renew(): void {
    if (this.#follower !== undefined) this.#hold(this.#ctx).catch(() => undefined);
  }

  async #close(): Promise<void> {
    const follower = this.#follower;
    this.#follower = undefined;
    await follower?.[Symbol.asyncDispose]().catch(() => undefined);
  }

  /** Logs each trouble once, and its end. */
  #report(trouble: string, error: unknown): void {
    if (trouble === this.#trouble) return;
    const { log } = this.#ctx;
    if (trouble === '') log.info('following the access log again');
    else log.warn({ err: error, path: this.#path }, `cannot follow the access log: ${trouble}`);
    this.#trouble = trouble;
  }
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

function describe(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (isMissing(error)) return 'the file does not exist yet';
  if (error instanceof NotAFileError) {
    return `${message} Let the server write its log to a file, and name it in ACCESS_LOG.`;
  }
  if (code === 'EACCES') return 'this process may not read it';
  return message;
}
