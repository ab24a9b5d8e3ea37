const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const VISIBLE = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800]]/v;

/**
 * Whether this can be a name of a person, a role or a key: visible, on one line, and not able to
 * imitate another name (no direction override, no lone surrogate).
 */
export function isDisplayName(text: string, maxChars: number): boolean {
  return text.length <= maxChars && VISIBLE.test(text) && !HIDDEN.test(text);
}

/** Text that mail programs turn into links. A dot in a name is at its end or between initials. */
const WEB_ADDRESS = /:\/\/|\bwww\.|[\p{L}\p{N}]\.\p{L}{2,}\//iu;

/**
 * Whether the name contains a web address. Emails to strangers must not: it would be a link of its
 * own.
 */
export function containsWebAddress(text: string): boolean {
  return WEB_ADDRESS.test(text);
}
