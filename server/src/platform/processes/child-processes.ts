import { availableParallelism } from 'node:os';
import { ChildProcess, childCommand } from './child-process.ts';
import { type Job, type OnPart, ProcessError } from './job.ts';
import { ProcessStarter } from './process-starter.ts';
import { type Claim, Turns } from './turns.ts';

export interface ChildProcessesOptions {
  /** How many processes work at once; at least 2. */
  readonly most?: number;
  readonly idleMs?: IdleMs;
  /** A process that has more memory after a job is not reused. */
  readonly mostKeptBytes?: number;
}

/** How long idle processes wait for work. */
interface IdleMs {
  /** One of them, because another needs some 100 ms of processor time to start. */
  readonly one: number;
  readonly others: number;
}

/** Each process may take hundreds of megabytes. */
const mostByDefault = Math.max(3, Math.min(4, availableParallelism()));
const defaultIdleMs: IdleMs = { one: 20_000, others: 3_000 };
const mostKeptBytesByDefault = 160 * 1024 * 1024;

/**
 * Runs jobs that read foreign bytes in child processes: they have limits, and nothing that happens in
 * them can end or block this process. Processes start on demand, are reused, and end when they are
 * idle. Owners take turns. One owner never has all of them, and jobs that take long have half.
 */
export class ChildProcesses implements AsyncDisposable {
  readonly #starter: ProcessStarter;
  readonly #turns: Turns;
  readonly #idleMs: IdleMs;
  readonly #mostKeptBytes: number;
  readonly #working = new Set<ChildProcess>();
  /** Those that were used last are at the end. */
  readonly #idle: { readonly child: ChildProcess; readonly timer: NodeJS.Timeout }[] = [];
  #isStopped = false;

  constructor({
    most = mostByDefault,
    idleMs = defaultIdleMs,
    mostKeptBytes = mostKeptBytesByDefault,
  }: ChildProcessesOptions = {}) {
    this.#starter = new ProcessStarter(childCommand, idleMs.one);
    this.#turns = new Turns(most);
    this.#idleMs = idleMs;
    this.#mostKeptBytes = mostKeptBytes;
    // If this process ends without disposing.
    process.once('exit', this.#killAll);
  }

  /** The ids of the processes that exist. */
  get pids(): number[] {
    const children = [...this.#working, ...this.#idle.map(({ child }) => child)];
    return children.flatMap(({ pid }) => pid ?? []);
  }

  /** The only part of the job's result. */
  async ask<Result>(job: Job): Promise<Result> {
    const parts: unknown[] = [];
    await this.run(job, (part) => parts.push(part));
    return parts[0] as Result;
  }

  /** Waits for a process and does the job: see `ChildProcess.run`. */
  async run(job: Job, onPart: OnPart): Promise<void> {
    using turn = new DisposableStack();
    turn.use(await this.#turns.take(claimOf(job)));
    if (this.#isStopped) throw stopped();
    const child = this.#takeIdle() ?? this.#start();
    this.#working.add(child);
    try {
      await child.run(job, onPart);
    } finally {
      this.#working.delete(child);
      this.#keep(child);
      if (!child.isUsable && child.pid !== undefined) keepUntil(child.ended, turn.move());
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    process.off('exit', this.#killAll);
    this.#killAll();
  }

  readonly #killAll = (): void => {
    this.#isStopped = true;
    this.#turns.stop(stopped());
    for (const child of this.#working) child.end(stopped());
    for (const { child, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      child.end(stopped());
    }
    this.#starter[Symbol.dispose]();
  };

  #start(): ChildProcess {
    try {
      return new ChildProcess(this.#starter, this.#mostKeptBytes);
    } catch (cause) {
      throw new ProcessError('unavailable', 'No process could be started.', { cause });
    }
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
    const idleMs = this.#idle.length === 0 ? this.#idleMs.one : this.#idleMs.others;
    this.#idle.push({ child, timer: setTimeout(end, idleMs).unref() });
  }
}

function claimOf({ owner, isLong, input, files = [], signal, abandoned }: Job): Claim {
  const held = [input, ...files].map((one) =>
    typeof one === 'string' || one instanceof Uint8Array ? one.length : 0,
  );
  const signals = [signal, abandoned].filter((one) => one !== undefined);
  return {
    ...{ owner, isLong, heldBytes: held.reduce((sum, bytes) => sum + bytes) },
    signal: signals.length > 1 ? AbortSignal.any(signals) : signals[0],
  };
}

/** What was killed while it waits for a disk still runs, and still counts. */
function keepUntil(ended: Promise<void>, turn: DisposableStack): void {
  void ended.then(() => turn.dispose());
}

function stopped(): ProcessError {
  return new ProcessError('stopped', 'The program ends.');
}
