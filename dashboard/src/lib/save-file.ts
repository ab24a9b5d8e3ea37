/** Gives a file to the browser, which keeps it where downloads are kept. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has read the address when the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A name that every system accepts; letters of every script stay. */
export function fileNameOf(text: string, extension: string): string {
  const words = text.normalize('NFKC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return `${words.join('-').slice(0, 80) || 'podstead'}.${extension}`;
}
