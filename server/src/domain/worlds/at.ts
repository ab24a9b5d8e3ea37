import { DomainError } from '../errors.ts';
import { refuseWorld } from './check-world.ts';
import { tryExplainFile } from './world-files.ts';

/** Runs a verb for the entry at `path`: what it refuses is told under that path. */
export async function at<T>(path: string, verb: () => Promise<T>): Promise<T> {
  try {
    return await verb();
  } catch (error) {
    // Too long once it is sanitised, for one.
    const message = error instanceof RangeError ? error.message : tryExplainFile(error);
    if (message !== undefined) throw refuseWorld([{ field: path, message }]);
    if (!(error instanceof DomainError)) throw error;
    const { details } = error;
    const problems = details.length > 0 ? details : [{ field: '', message: error.message }];
    throw refuseWorld(
      problems.map((problem) => ({
        ...problem,
        field: [path, problem.field].filter((part) => part !== '').join('.'),
      })),
    );
  }
}
