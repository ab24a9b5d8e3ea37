import { availableParallelism } from 'node:os';
import { ChildProcess } from './child-process.ts';
import type { Job } from './job.ts';
import { ProcessError } from './process-error.ts';

export interface ChildProcessesOptions {
  /** How many processes work at once; at least 2. */
  readonly most?: number;
  /** How long an idle process waits for work. */
  readonly idleMs?: number;
}

/** Each process may take hundreds of megabytes. */
const mostByDefault = Math.max(3, Math.min(4, availableParallelism()));
const defaultIdleMs = 3_000;
/** Of one owner. A waiting job may keep a file in memory. */
const mostWaiting = 200;

interface Waiting {
  readonly job: Job;
  readonly begin: () => void;
}

/**
 * Runs jobs that read foreign bytes in child processes: they have limits, and nothing that happens in
 * them can end or block this process. Processes start on demand, are reused, and end when they are
 * idle. Owners take turns. One owner never has all of them, and jobs that take long have half.
 */
export class ChildProcesses implements AsyncDisposable {
  readonly #most: number;
  readonly #idleMs: number;
  /** By owner. */
  readonly #waiting = new Map<string, Waiting[]>();
  /** Of owners with jobs: the number of the last turn. */
  readonly #lastTurns = new Map<string, number>();
  #turns = 0;
  /** Jobs that have their turn, and their processes. */
  readonly #begun = new Map<Job, ChildProcess | undefined>();
  /** Those that were used last are at the end. */
  readonly #idle: { readonly child: ChildProcess; readonly timer: NodeJS.Timeout }[] = [];
  #isStopped = false;

  constructor({ most = mostByDefault, idleMs = defaultIdleMs }: ChildProcessesOptions = {}) {
    this.#most = most;
    this.#idleMs = idleMs;
    // If this process ends without disposing.
    process.once('exit', this.#killAll);
  }

  /** The ids of the processes that exist. */
  get pids(): number[] {
    const children = [...this.#begun.values(), ...this.#idle.map(({ child }) => child)];
    return children.flatMap((child) => child?.pid ?? []);
  }

  /** The only part of the job's result. */
  async ask<Result>(job: Job): Promise<Result> {
    const parts: unknown[] = [];
    await this.run(job, (part) => parts.push(part));
    return parts[0] as Result;
  }

  /** Waits for a process and does the job: see `ChildProcess.run`. */
  async run(job: Job, onPart: (part: unknown) => void): Promise<void> {
    await this.#getTurn(job);
    let child: ChildProcess | undefined;
    try {
      if (this.#isStopped) throw stopped();
      child = this.#takeIdle() ?? new ChildProcess();
      this.#begun.set(job, child);
      await child.run(job, onPart);
    } finally {
      this.#begun.delete(job);
      if (child !== undefined) this.#keep(child);
      this.#next();
      this.#forgetTurns(job.owner);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    process.off('exit', this.#killAll);
    this.#killAll();
  }

  readonly #killAll = (): void => {
    this.#isStopped = true;
    for (const child of this.#begun.values()) child?.end(stopped());
    for (const { child, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      child.end(stopped());
    }
    const waiting = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    for (const { begin } of waiting) begin();
  };

  #getTurn(job: Job): Promise<void> {
    const { owner, signal } = job;
    if (this.#isStopped) return Promise.reject(stopped());
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const queue = this.#waiting.get(owner) ?? [];
    if (queue.length >= mostWaiting) {
      return Promise.reject(new ProcessError('busy', 'Too many files wait to be read.'));
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#remove(owner, waiting);
        reject(signal?.reason);
      };
      const waiting: Waiting = {
        job,
        begin: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal?.addEventListener('abort', leave);
      queue.push(waiting);
      this.#waiting.set(owner, queue);
      this.#next();
    });
  }

  #remove(owner: string, waiting: Waiting): void {
    const queue = this.#waiting.get(owner)?.filter((one) => one !== waiting) ?? [];
    if (queue.length > 0) this.#waiting.set(owner, queue);
    else this.#waiting.delete(owner);
  }

  #forgetTurns(owner: string): void {
    const isBegun = [...this.#begun.keys()].some((job) => job.owner === owner);
    if (!isBegun && !this.#waiting.has(owner)) this.#lastTurns.delete(owner);
  }

  /** Begins the jobs that have their turn. */
  #next(): void {
    while (this.#begun.size < this.#most) {
      const waiting = this.#findNext();
      if (waiting === undefined) return;
      const { owner } = waiting.job;
      this.#remove(owner, waiting);
      this.#turns += 1;
      this.#lastTurns.set(owner, this.#turns);
      this.#begun.set(waiting.job, undefined);
      waiting.begin();
    }
  }

  /** The first job of the owner whose last turn is the longest ago. */
  #findNext(): Waiting | undefined {
    const begun = [...this.#begun.keys()];
    const isLongFree = begun.filter(({ isLong }) => isLong).length < this.#most / 2;
    let next: Waiting | undefined;
    let earliest = Number.POSITIVE_INFINITY;
    for (const [owner, queue] of this.#waiting) {
      const lastTurn = this.#lastTurns.get(owner) ?? 0;
      if (lastTurn >= earliest) continue;
      if (begun.filter((job) => job.owner === owner).length >= this.#most - 1) continue;
      const found = queue.find(({ job }) => job.isLong !== true || isLongFree);
      if (found === undefined) continue;
      next = found;
      earliest = lastTurn;
    }
    return next;
  }

  #takeIdle(): ChildProcess | undefined {
    for (;;) {
      const idle = this.#idle.pop();
      if (idle === undefined) return undefined;
      clearTimeout(idle.timer);
      if (!idle.child.isUsable) continue;
      idle.child.ref(true);
      return idle.child;
    }
  }

  #keep(child: ChildProcess): void {
    if (this.#isStopped) child.end(stopped());
    if (!child.isUsable) return;
    child.ref(false);
    const end = () => {
      this.#idle.splice(0, this.#idle.length, ...this.#idle.filter((one) => one.child !== child));
      child.end(stopped());
    };
    this.#idle.push({ child, timer: setTimeout(end, this.#idleMs).unref() });
  }
}

function stopped(): ProcessError {
  return new ProcessError('stopped', 'The program ends.');
}
