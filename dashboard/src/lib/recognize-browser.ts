/** The first match counts, because most browsers also claim to be older ones. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ (?:Mobile\/\w+ )?Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac ?OS ?X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** The name of the browser, if it is known: enough to recognize one's own. */
export interface RecognizedBrowser {
  readonly browser: string | undefined;
  readonly system: string | undefined;
}

export function recognizeBrowser(userAgent: string | null): RecognizedBrowser {
  const text = userAgent ?? '';
  const name = (table: typeof browsers) => table.find(([form]) => form.test(text))?.[1];
  return { browser: name(browsers), system: name(systems) };
}
