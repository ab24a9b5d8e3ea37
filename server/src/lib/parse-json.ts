/** Undefined: the text is not JSON. The parser's message is dropped, because it quotes the text. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
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
