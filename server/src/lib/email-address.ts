const FORM = /^[^\s@"<>()[\]\\,;:\p{C}]+@[^\s@"<>()[\]\\,;:\p{C}]+$/u;

/** Whether the text is one plain address that cannot add a recipient or end a header. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && FORM.test(text);
}

/** Whether both reach the same mailbox. No mail server distinguishes case. */
export function isSameEmail(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
