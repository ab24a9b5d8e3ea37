import { i18n, type MessageDescriptor } from '@lingui/core';

/** Sentences of the server, by their keys. */
export type Words = Readonly<Record<string, MessageDescriptor>>;

/** A message of the server in English, with its key and values for other languages. */
export interface SaidMessage {
  readonly message: string;
  readonly message_key?: string | undefined;
  readonly values?: Readonly<Record<string, string | number>> | undefined;
}

/** Says it in the language of the app; in English if the key is unknown. */
export function sayMessage(
  words: Words,
  { message, message_key: key, values }: SaidMessage,
): string {
  // The server's own words: they may be more precise.
  if (i18n.locale === 'en' || key === undefined || !Object.hasOwn(words, key)) return message;
  const { id, message: english } = words[key] as MessageDescriptor;
  return i18n._(id, values, { message: english ?? message });
}
