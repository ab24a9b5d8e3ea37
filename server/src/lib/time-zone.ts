/** IANA's names without a slash. Others that ICU knows are abbreviations, which are ambiguous. */
const names = new Set(
  [
    'utc uct gmt gmt0 gmt+0 gmt-0 zulu universal greenwich est mst hst wet cet met eet est5edt',
    'cst6cdt mst7mdt pst8pdt cuba egypt eire gb gb-eire hongkong iceland iran israel jamaica japan',
    'kwajalein libya navajo nz nz-chat poland portugal prc roc rok singapore turkey w-su',
  ].flatMap((line) => line.split(' ')),
);

/**
 * Whether this is the name of a time zone in IANA's database. JavaScript also takes offsets, whose
 * sign PostgreSQL reads the other way round.
 */
export function isTimeZone(name: string): boolean {
  if (!names.has(name.toLowerCase()) && !/^(?!systemv)[a-z]+\/[a-z]/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
