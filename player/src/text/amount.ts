const formats: Record<string, Intl.NumberFormat> = {};

/** "3 seconds". Formatters are expensive, so each is made once. */
export function formatAmount(value: number, unit: string, language: string): string {
  const key = language + unit;
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const;
  formats[key] ??= new Intl.NumberFormat(language, style);
  return (formats[key] as Intl.NumberFormat).format(value);
}
