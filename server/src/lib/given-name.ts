const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const VISIBLE = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v;

/**
 * What people may call themselves, a role or a key: something to be seen, on one line, and nothing
 * that makes it look like another (no override of direction, no half character).
 */
export function isGivenName(text: string, maxChars: number): boolean {
  return text.length <= maxChars && VISIBLE.test(text) && !HIDDEN.test(text);
}

/** What mail programs make a link of, told or not: a name's dot is at its end or between initials. */
const WEB_ADDRESS = /:\/\/|\bwww\.|[\p{L}\p{N}]\.\p{L}{2,}\//iu;

/** Such a name, in a letter to a stranger, would be an invitation of its own. */
export function holdsWebAddress(text: string): boolean {
  return WEB_ADDRESS.test(text);
}
