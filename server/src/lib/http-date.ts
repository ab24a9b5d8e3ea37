const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TIME = String.raw`(?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})`;
const MONTH = '(?<month>[A-Z][a-z]{2})';

/** The three forms of RFC 9110 §5.6.7: IMF-fixdate, RFC 850 and asctime. */
const FORMS = [
  new RegExp(`^[A-Z][a-z]{2}, (?<day>\\d{2}) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(`^[A-Z][a-z]{5,8}, (?<day>\\d{2})-${MONTH}-(?<year>\\d{2}) ${TIME} GMT$`),
  new RegExp(`^[A-Z][a-z]{2} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
];

/** `Sun, 06 Nov 1994 08:49:37 GMT`, for Last-Modified; without fractions of a second. */
export function formatHttpDate(date: Date): string {
  return date.toUTCString();
}

/** A date of an HTTP header, in milliseconds since 1970; undefined for anything else. */
export function tryParseHttpDate(text: string): number | undefined {
  for (const form of FORMS) {
    const fields = form.exec(text)?.groups;
    if (fields !== undefined) return readFields(fields);
  }
  return undefined;
}

function readFields(fields: Record<string, string | undefined>): number | undefined {
  const text = (name: string): string => fields[name] ?? '';
  const number = (name: string): number => Number(text(name));
  const month = MONTHS.indexOf(text('month'));
  const date = new Date(0);
  date.setUTCFullYear(fullYear(text('year')), month, number('day'));
  if (month < 0 || date.getUTCDate() !== number('day')) return undefined;
  // A leap second counts as the first second of the next minute.
  if (number('hour') > 23 || number('minute') > 59 || number('second') > 60) return undefined;
  return date.setUTCHours(number('hour'), number('minute'), number('second'));
}

/** Two digits: no date here is more than a few years in the future. */
function fullYear(digits: string): number {
  if (digits.length === 4) return Number(digits);
  return Number(digits) < 70 ? 2000 + Number(digits) : 1900 + Number(digits);
}
