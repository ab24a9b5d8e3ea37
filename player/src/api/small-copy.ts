/** The service stores small copies of its images; other images are used as they are. */
export function smallCopy(url: string, sidePx: 320 | 640): string {
  return url.replace(/(\/images\/[\da-f-]{36})\.\w+$/i, `$1/${sidePx}.jpg`);
}
