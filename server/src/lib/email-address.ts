const FORM = /^[^\s@"<>()[\]\\,;:\p{C}]+@[^\s@"<>()[\]\\,;:\p{C}]+$/u;

/** Whether the text is one plain address that cannot add a recipient or end a header. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && FORM.test(text);
}

/**
 * The mailbox of an address, by which emails are counted: what is behind a plus sign in front of the @
 * goes to the same one.
 */
export function mailboxOf(email: string): string {
  const lower = email.toLowerCase();
  const plus = lower.indexOf('+', 1);
  const at = lower.lastIndexOf('@');
  return plus === -1 || plus > at ? lower : lower.slice(0, plus) + lower.slice(at);
}

/** Whether both reach the same mailbox. No mail server distinguishes case. */
export function isSameEmail(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
