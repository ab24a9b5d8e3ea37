import { sayMessage, type Words } from '../../sentences/say-message.ts';

interface Props {
  readonly words: Words;
  /** In English, with names and numbers that the sentence for the reason does not have. */
  readonly message: string;
  readonly reason: string | null;
}

/**
 * A message of the server about an import: in the language of the app, and then in its own words.
 */
export function ServerMessage({ words, message, reason }: Props) {
  const said = sayMessage(words, { message, message_key: reason ?? undefined });
  return (
    <>
      {said}
      {said !== message && (
        <small className="meta" lang="en" dir="ltr">
          {message}
        </small>
      )}
    </>
  );
}
