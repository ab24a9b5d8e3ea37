import { DomainError } from '../../foundation/errors.ts';
import { tryExplainFile } from '../shows/edits/index.ts';
import { refuseSeedFile } from './check-seed-file.ts';

/** Runs a verb for the entry at `path` and reports its refusals under that path. */
export async function withEntryPath<T>(path: string, verb: () => Promise<T>): Promise<T> {
  try {
    return await verb();
  } catch (error) {
    // For example, show notes that are too long after sanitizing.
    const message = error instanceof RangeError ? error.message : tryExplainFile(error);
    if (message !== undefined) throw refuseSeedFile([{ field: path, message }]);
    if (!(error instanceof DomainError)) throw error;
    const { details } = error;
    const problems = details.length > 0 ? details : [{ field: '', message: error.message }];
    throw refuseSeedFile(
      problems.map((problem) => ({
        ...problem,
        field: [path, problem.field].filter((part) => part !== '').join('.'),
      })),
    );
  }
}

/** Makes the entries of a list, one after the other. Resolves to the result of each ref. */
export async function makeEach<Entry extends { readonly ref: string }, Made>(
  list: string,
  entries: readonly Entry[] | undefined,
  signal: AbortSignal | undefined,
  make: (entry: Entry, path: string) => Promise<Made>,
): Promise<Map<string, Made>> {
  const made = new Map<string, Made>();
  for (const [index, entry] of (entries ?? []).entries()) {
    signal?.throwIfAborted();
    made.set(entry.ref, await make(entry, `${list}[${index}]`));
  }
  return made;
}
