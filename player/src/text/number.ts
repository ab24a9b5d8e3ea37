const formats = new Map<string, Intl.NumberFormat>();

/**
 * Formats a number, with a unit as in "3 seconds". Formatters are expensive, so each is made once.
 */
export function formatNumber(value: number, language: string, unit?: string): string {
  const key = language + unit;
  let format = formats.get(key);
  if (!format) {
    const style = unit ? ({ style: 'unit', unit, unitDisplay: 'long' } as const) : {};
    format = new Intl.NumberFormat(language, style);
    formats.set(key, format);
  }
  return format.format(value);
}
