import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** The id of the message that a child is ready. */
export const readyId = 0;

/** One of our scripts in another process, which answers questions (`answer-parent.ts`). */
export class Child implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = readyId;

  private constructor(process: ChildProcess) {
    this.#process = process;
    process.on('message', (reply: Reply) => this.#settle(reply));
    process.on('error', (error) => this.#fail(error));
    process.on('exit', () => this.#fail(new Error(`${process.spawnargs[1]} has ended`)));
  }

  /**
   * Resolves with the child's ready message. The child is killed when `signal` is aborted. In a
   * session of its own, Linux gives it its own share of the processors (autogroups).
   */
  static async start<Ready>(
    script: URL,
    input: object,
    signal: AbortSignal,
    { ownSession = false }: { readonly ownSession?: boolean } = {},
  ): Promise<{ child: Child; ready: Ready }> {
    signal.throwIfAborted();
    const child = new Child(
      fork(script, [JSON.stringify(input)], {
        signal,
        killSignal: 'SIGKILL',
        execArgv: [],
        detached: ownSession,
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      }),
    );
    try {
      return { child, ready: await child.#reply<Ready>(readyId) };
    } catch (error) {
      await child.kill();
      throw error;
    }
  }

  ask<Answer>(question: string, input: unknown = null): Promise<Answer> {
    this.#lastId += 1;
    const reply = this.#reply<Answer>(this.#lastId);
    this.#process.send({ id: this.#lastId, question, input });
    return reply;
  }

  /** Uses SIGKILL, so no handler of the child runs. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const exit = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exit;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }

  #reply<Answer>(id: number): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
    });
  }

  #settle({ id, value, error }: Reply): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(error));
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
