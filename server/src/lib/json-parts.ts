const [quote, comma, backslash, openArray, openObject] = [...'",\\[{'].map((c) => c.charCodeAt(0));

/**
 * How many objects and arrays a JSON text has, and how many commas between their parts. Parsing takes a time for each,
 * not for each byte: a megabyte is 5 ms of text, and 70 ms of empty arrays.
 */
export function countJsonParts(text: string): { containers: number; commas: number } {
  let [containers, commas, isInText] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) isInText = !isInText;
    else if (isInText) at += code === backslash ? 1 : 0;
    else if (code === comma) commas += 1;
    else if (code === openArray || code === openObject) containers += 1;
  }
  return { containers, commas };
}
