const formats = new Map<string, Intl.NumberFormat>();

/** "3 seconds". Formatters are expensive, so each is made once. */
export function formatAmount(value: number, unit: string, language: string): string {
  const key = language + unit;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
    formats.set(key, format);
  }
  return format.format(value);
}
