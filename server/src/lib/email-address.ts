const FORM = /^[^\s@"<>()[\]\\,;:\p{C}]+@[^\s@"<>()[\]\\,;:\p{C}]+$/u;

/** One address in its plain form: nothing in it could add a recipient or end a header. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && FORM.test(text);
}

/** Whether both reach the same person: nobody's server tells capitals apart. */
export function isSameEmail(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
