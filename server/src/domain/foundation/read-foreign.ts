import { type Job, type OnPart, ProcessError } from '../../platform/processes/job.ts';
import type { Context } from './context.ts';
import { DomainError, type FileError, type SaidMessage } from './errors.ts';

/** What reading needs of a verb's context. */
export type ReadingContext = Pick<
  Context,
  'processes' | 'principal' | 'onBehalfOf' | 'abandoned' | 'log'
>;

interface ForeignJob extends Omit<Job, 'owner' | 'abandoned'> {
  /** The errors that the task may throw as refusals, beside DomainErrors. */
  readonly refusals?: readonly (new (
    reason: never,
    message: string,
  ) => FileError)[];
  /** The refusal of a file that takes too much time or memory, or makes its reader crash. */
  readonly refuse: (failure: ProcessError) => Error;
}

/**
 * Reads what a user or another server has sent in a child process: everything that parses foreign
 * bytes does this. Calls `onPart` with the parts of the result. Throws the refusals of the task,
 * that of `refuse`, what `onPart` rejects with, `service_unavailable`, and the reason of `ctx.abandoned`.
 */
export async function readForeign(
  ctx: ReadingContext,
  job: ForeignJob,
  onPart: OnPart,
): Promise<void> {
  try {
    const { abandoned } = ctx;
    await ctx.processes.run({ ...job, owner: ownerOf(ctx), abandoned }, onPart);
  } catch (error) {
    if (!(error instanceof ProcessError)) throw restore(job, error);
    const { reason, message, cause } = error;
    if (error.isOfInput) {
      ctx.log.warn({ task: job.task, reason, message }, 'a file could not be read');
      throw job.refuse(error);
    }
    if (reason === 'unavailable')
      ctx.log.error({ err: error, cause }, 'no process could be started to read a file');
    throw new DomainError(
      'service_unavailable',
      'Files cannot be read right now. Try again soon.',
      {
        retryAfterSeconds: 5,
        cause: error,
      },
    );
  }
}

/** The same for a task whose result is one part. */
export async function readForeignPart<Result>(
  ctx: ReadingContext,
  job: ForeignJob,
): Promise<Result> {
  const parts: unknown[] = [];
  await readForeign(ctx, job, (part) => parts.push(part));
  return parts[0] as Result;
}

/** Whose bytes they are: users take turns. */
export function ownerOf({
  principal,
  onBehalfOf,
}: Pick<Context, 'principal' | 'onBehalfOf'>): string {
  return onBehalfOf ?? ('userId' in principal ? principal.userId : principal.kind);
}

/** Errors of a child are like those thrown there, but not of their classes. */
function restore({ refusals = [] }: ForeignJob, error: unknown): unknown {
  const { name, message, reason } = error as FileError;
  if (name === 'DomainError' && !(error instanceof DomainError)) {
    const { kind, details, messageKey, values } = error as DomainError;
    return new DomainError(kind, { message, messageKey, values } as SaidMessage, { details });
  }
  const Refusal = refusals.find((kind) => kind.name === name);
  return Refusal === undefined ? error : new Refusal(reason as never, message);
}

/** All bytes of a file that a task gets. */
export async function readWhole(
  files: AsyncIterable<AsyncIterable<Buffer>>,
): Promise<Buffer<ArrayBuffer>> {
  for await (const file of files) {
    const chunks: Buffer[] = [];
    for await (const chunk of file) chunks.push(chunk);
    return Buffer.concat(chunks);
  }
  return Buffer.alloc(0);
}
