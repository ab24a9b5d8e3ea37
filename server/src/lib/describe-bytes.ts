import type { Language } from './languages.ts';

/** 4,970,000,000 → 4.97 GB. A gigabyte has 1,000,000,000 bytes, as in the app. */
export function describeBytes(bytes: number, language: Language = 'en'): string {
  const [unit, size] = bytes < 1e9 ? ['megabyte', bytes / 1e6] : ['gigabyte', bytes / 1e9];
  const format = { style: 'unit', unit, maximumFractionDigits: 2 } as const;
  return size.toLocaleString(language, format);
}
