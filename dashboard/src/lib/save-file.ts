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

/** A name that every system accepts; letters of every script stay. */
export function fileNameOf(text: string, extension: string): string {
  const words = text.normalize('NFKC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return `${words.join('-').slice(0, 80) || 'podstead'}.${extension}`;
}
