/**
 * Like `JSON.parse`, with U+FFFD for half of a surrogate pair, which JSON can write as an escape: it is
 * no character, and the database refuses it in JSON.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return /\\u[dD][89a-fA-F]/.test(text) ? toWellFormed(value) : value;
}

/** However deep it is: no recursion. Names of fields stay. */
function toWellFormed(input: unknown): unknown {
  const root = { input };
  const open: object[] = [root];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const name of Object.keys(parent)) {
      const value: unknown = Reflect.get(parent, name);
      if (typeof value === 'object' && value !== null) open.push(value);
      else if (typeof value === 'string' && !value.isWellFormed())
        Reflect.set(parent, name, value.toWellFormed());
    }
  }
  return root.input;
}

/** Undefined: the text is not JSON. The parser's message is dropped, because it quotes the text. */
export function tryParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Undefined: the text is not JSON, or is something else than one object. */
export function tryParseObject(text: string): Record<string, unknown> | undefined {
  const value = tryParseJson(text);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined;
}
