/** Decodes names of apps in URL encoding (`BBC%20Sounds/1`). Other text stays. */
export function decodePercents(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/(?:%[\dA-Fa-f]{2})+/g, (encoded) =>
    Buffer.from(encoded.replaceAll('%', ''), 'hex').toString('utf8'),
  );
}
