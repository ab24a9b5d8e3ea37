import type { Confirmation } from '../api/episodes.ts';
import { hasReason } from '../api/errors.ts';

/** An episode that somebody publishes or schedules without audio. */
export interface Question {
  readonly title: string;
  readonly action: 'publish' | 'schedule';
}

interface OpenQuestion extends Question {
  readonly answer: (isConfirmed: boolean) => void;
}

const listeners = new Set<() => void>();
let open: OpenQuestion | undefined;

/** For useSyncExternalStore. */
export const openQuestion = (): OpenQuestion | undefined => open;
export function subscribeToQuestion(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Publishes or schedules. If the server wants that confirmed, asks the person and does it again.
 * Undefined: the person decided against it.
 */
export async function withConfirmation<T>(
  question: Question,
  write: (confirm: readonly Confirmation[]) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await write([]);
  } catch (error) {
    if (!hasReason(error, 'without_audio')) throw error;
  }
  return (await ask(question)) ? write(['without_audio']) : undefined;
}

async function ask(question: Question): Promise<boolean> {
  open?.answer(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  show({ ...question, answer: resolve });
  const isConfirmed = await promise;
  show(undefined);
  return isConfirmed;
}

function show(next: OpenQuestion | undefined): void {
  open = next;
  for (const listener of [...listeners]) listener();
}
