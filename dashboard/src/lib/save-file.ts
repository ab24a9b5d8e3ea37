/** Passes a file to the browser, which saves it as a download. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // After the click was handled, the browser no longer needs the address.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** What the figures of a file are about. */
export interface FileSubject {
  /** The show or the episode. */
  readonly title: string;
  /** The same for the name of the file, from the general to the special. */
  readonly names: readonly string[];
  /** UTC days, both included. */
  readonly days: { readonly from: string; readonly to: string };
}

/** `my-show-downloads-2026-10-26--2026-11-24.csv` */
export function fileNameAbout(
  { names, days: { from, to } }: FileSubject,
  what: string,
  extension: string,
): string {
  const short = names.map((name) => wordsOf(name).slice(0, 50).replace(/-$/, ''));
  const words = [...short, wordsOf(what)].filter((name) => name !== '');
  return `${words.join('-')}-${from === to ? to : `${from}--${to}`}.${extension}`;
}

export function fileNameOf(text: string, extension: string): string {
  return `${wordsOf(text).slice(0, 80) || 'podstead'}.${extension}`;
}

/** What every system accepts in a name; letters of every script stay. */
function wordsOf(text: string): string {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return words.join('-');
}
