import { ChildProcesses } from '../src/platform/processes/child-processes.ts';
import { type Job, type OnPart, ProcessError } from '../src/platform/processes/job.ts';

/** One takes longer to start than most tests run, so those of a file are kept for the next one. */
const shared = new ChildProcesses({
  idleMs: { one: 120_000, others: 30_000 },
  mostKeptBytes: 400 * 1024 * 1024,
});

/**
 * The child processes of a test's installation, which all tests of this process share. At its end,
 * only those end that still work for it.
 */
export class SharedProcesses extends ChildProcesses {
  readonly #end = new AbortController();

  override async run(job: Job, onPart: OnPart): Promise<void> {
    const signals = [this.#end.signal, ...(job.signal === undefined ? [] : [job.signal])];
    await shared.run({ ...job, signal: AbortSignal.any(signals) }, onPart);
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort(new ProcessError('stopped', 'The program ends.'));
    await super[Symbol.asyncDispose]();
  }
}
