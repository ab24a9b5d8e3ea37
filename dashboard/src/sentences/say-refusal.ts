import { importFailures } from './import-words.ts';
import { reasonWords } from './reason-words.ts';
import { refusalWords } from './refusal-words.ts';
import { type SaidMessage, sayMessage } from './say-message.ts';

/** A sentence without values, because reasons and codes have none. */
const causes = { ...importFailures, ...reasonWords };

/** A message of the server in the language of the app, or a sentence about its reason or code. */
export function sayRefusal(said: SaidMessage, cause: string | undefined): string {
  const { message_key: key } = said;
  if (key !== undefined && Object.hasOwn(refusalWords, key)) return sayMessage(refusalWords, said);
  return sayMessage(causes, { ...said, message_key: cause });
}
