import { importFailures } from './import-words.ts';
import { reasonWords } from './reason-words.ts';
import { refusalWords } from './refusal-words.ts';
import { type SaidMessage, sayMessage } from './say-message.ts';

/** Without values: a reason or a code comes with none. */
const causes = { ...importFailures, ...reasonWords };

/** A message of the server, or what is known of its cause: the reason, or the code of the error. */
export function sayRefusal(said: SaidMessage, cause: string | undefined): string {
  const { message_key: key } = said;
  if (key !== undefined && Object.hasOwn(refusalWords, key)) return sayMessage(refusalWords, said);
  return sayMessage(causes, { ...said, message_key: cause });
}
