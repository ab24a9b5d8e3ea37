import { directorySteps } from './directory-words.ts';
import { sayMessage, type Words } from './say-message.ts';

interface Directory {
  readonly directory: string;
  /** In English. */
  readonly steps: readonly string[];
}

export function sayDirectorySteps({ directory: id, steps }: Directory): readonly string[] {
  const words: Words = Object.fromEntries(Object.entries(directorySteps[id] ?? []));
  return steps.map((message, index) => sayMessage(words, { message, message_key: String(index) }));
}
