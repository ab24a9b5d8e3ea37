export type TimeUnit = 'seconds' | 'minutes' | 'hours';

const secondsIn: Readonly<Record<TimeUnit, number>> = { seconds: 1, minutes: 60, hours: 3600 };

/** Full-width digits and signs, as Japanese keyboards write them, in their usual form. */
export function toHalfWidth(text: string): string {
  return text.replace(/[\uFF01-\uFF5E]/g, (wide) =>
    String.fromCharCode(wide.charCodeAt(0) - 0xfee0),
  );
}

/** Also a digit that is not read, as an Arabic one or a superscript. */
const digit = /\p{N}/u;

const grouped = /^(\d{1,3}(?:(?:,\d{3}){1,4}|(?:\.\d{3}){1,4}))(?:[.,]0{1,6})?$/;
const plain = /^(\d{1,15})(?:[.,]0{1,6})?$/;

/**
 * Reads a count: `1204`, `1,204`, `1.204`, `1 204`, `1204.0`, `１２０４`. Null: the cell contains no figure, as
 * `-`, `NaN` or "not enough data". Undefined: it contains digits and is not a count.
 */
export function tryParseCount(text: string): number | null | undefined {
  const compact = toHalfWidth(text).replace(/[\s'’]/g, '');
  if (!digit.test(compact)) return null;
  const [, digits] = grouped.exec(compact) ?? plain.exec(compact) ?? [];
  return digits === undefined ? undefined : Number(digits.replace(/[.,]/g, ''));
}

const clock = /^(\d{1,9}):([0-5]\d)(?::([0-5]\d)(?:[.,]\d{1,6})?)?$/;
const commas = /^(\d{1,3}(?:,\d{3}){1,4})(?:\.(\d{1,12}))?$/;
const points = /^(\d{1,3}(?:\.\d{3}){1,4}),(\d{1,12})$/;
const decimal = /^(\d{1,12})(?:[.,](\d{1,12}))?$/;

/**
 * Reads a time as whole seconds: a number of `unit`, with a decimal point or comma, or `h:mm:ss` and
 * `h:mm`. A comma before exactly three digits separates thousands. Null and undefined as for counts.
 */
export function tryParseSeconds(text: string, unit: TimeUnit): number | null | undefined {
  const compact = toHalfWidth(text).replace(/[\s'’]/g, '');
  if (!digit.test(compact)) return null;
  const [, hours, minutes = '0', seconds = '0'] = clock.exec(compact) ?? [];
  if (hours !== undefined) return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  const [, whole, fraction = '0'] = read(compact) ?? [];
  if (whole === undefined) return undefined;
  return Math.round(Number(`${whole.replace(/[.,]/g, '')}.${fraction}`) * secondsIn[unit]);
}

function read(text: string): RegExpExecArray | null {
  return commas.exec(text) ?? points.exec(text) ?? decimal.exec(text);
}
