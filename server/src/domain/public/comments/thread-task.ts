import { readWhole } from '../../foundation/read-foreign.ts';
import type { Comment } from './comment.ts';
import { tryParseThread } from './parse-thread.ts';

/** In a child process: the comments in a response of another server; undefined if it has none. */
export async function* thread(
  post: { readonly id: string; readonly host: string },
  files: AsyncIterable<AsyncIterable<Buffer>>,
): AsyncGenerator<Comment[] | undefined> {
  yield tryParseThread((await readWhole(files)).toString('utf8'), post);
}
