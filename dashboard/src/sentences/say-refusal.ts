import { reasonWords } from './reason-words.ts';
import { refusalWords } from './refusal-words.ts';
import { type SaidMessage, sayMessage } from './say-message.ts';

const words = { ...reasonWords, ...refusalWords };

/** A message of the server, or what is known of its cause: the reason, or the code of the error. */
export function sayRefusal(said: SaidMessage, cause: string | undefined): string {
  const { message_key: key } = said;
  if (key !== undefined && Object.hasOwn(refusalWords, key)) return sayMessage(refusalWords, said);
  return sayMessage(words, { ...said, message_key: cause });
}
