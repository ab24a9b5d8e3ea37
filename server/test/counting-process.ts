import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { ObservedRequest } from '../src/domain/audience/downloads/index.ts';
import { startTestProgram } from './start-test-program.ts';

/** A task for a counting process: responses of its own, or a log. */
export interface CountingTask {
  readonly id: number;
  /** `at` is in JSON: ISO 8601. */
  readonly deliveries: readonly (Omit<ObservedRequest, 'at'> & { readonly at: Date | string })[];
  readonly log?: string | undefined;
  /** Whether everything on disk must be counted before the task is done. */
  readonly flush: boolean;
}

/** A process that counts downloads until it is killed. */
export class CountingProcess {
  readonly #program;
  readonly #exited;
  /** Tasks that it has not reported as done. */
  readonly open = new Map<number, { readonly task: CountingTask; readonly done: () => void }>();

  constructor(env: Readonly<Record<string, string>>) {
    this.#program = startTestProgram('count-deliveries', env);
    this.#exited = once(this.#program, 'exit');
    // Writing to a killed process fails.
    this.#program.stdin.on('error', () => undefined);
    createInterface(this.#program.stdout).on('line', (line) => {
      this.open.get(Number(line))?.done();
      this.open.delete(Number(line));
    });
  }

  /** Resolves when the task is done; never, if the process is killed before. */
  give(task: CountingTask): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.open.set(task.id, { task, done: resolve });
    this.#program.stdin.write(`${JSON.stringify(task)}\n`);
    return promise;
  }

  /** Returns the tasks that it may not have done. */
  async kill(): Promise<CountingTask[]> {
    this.#program.kill('SIGKILL');
    await this.#exited;
    return [...this.open.values()].map(({ task }) => task);
  }
}
