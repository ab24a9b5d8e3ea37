/**
 * Whether lists and objects are nested deeper in a text of JSON. Asked before it is parsed: parsers need memory, and
 * some a stack, for each level.
 */
export function isJsonDeeperThan(text: string, most: number): boolean {
  let [depth, isText] = [0, false];
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (isText && letter === '\\') at += 1;
    else if (letter === '"') isText = !isText;
    else if (!isText && (letter === '[' || letter === '{')) depth += 1;
    else if (!isText && (letter === ']' || letter === '}')) depth -= 1;
    if (depth > most) return true;
  }
  return false;
}
