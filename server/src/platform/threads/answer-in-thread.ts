import { parentPort } from 'node:worker_threads';
import type { Answer, Question } from './thread.ts';

/**
 * Handles the calls of a `Thread`, by name. Errors are transferred as plain objects with `name`,
 * `message` and own fields, and the caller restores them.
 */
export function answerInThread(answers: Readonly<Record<string, (input: never) => unknown>>): void {
  parentPort?.on('message', async ({ id, about, input }: Question) => {
    parentPort?.postMessage(await answer(id, answers[about], input));
  });
}

async function answer(
  id: number,
  give: ((input: never) => unknown) | undefined,
  input: unknown,
): Promise<Answer> {
  try {
    return { id, result: await give?.(input as never) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const { name, message } = error;
    return { id, error: { ...error, cause: undefined, name, message } };
  }
}
