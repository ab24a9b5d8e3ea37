/** Marks an English text for `npm run words`, where it is not translated at once. */
export function message<const Text extends string>(text: Text): Text {
  return text;
}
