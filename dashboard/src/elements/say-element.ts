import {
  elementAbouts,
  elementChoices,
  elementHints,
  elementLabels,
} from '../sentences/element-words.ts';
import { sayMessage, type Words } from '../sentences/say-message.ts';

/** What the server's list says of elements and values, in the language of the app, by their path. */

const sayer = (words: Words) => (path: string, english: string) =>
  sayMessage(words, { message: english, message_key: path });

export const labelOf = sayer(elementLabels);
export const aboutOf = sayer(elementAbouts);
export const hintOf = sayer(elementHints);
export const choiceOf = sayer(elementChoices);
