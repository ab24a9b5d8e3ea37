/**
 * Adds the `https://` that people leave out to the address of a page. Other text stays as it is.
 */
export function withHttps(text: string): string {
  const address = text.trim();
  // A name, a colon and digits are a host with its port, not a scheme.
  const hasScheme = /^[a-z][a-z\d+.-]*:(?!\d)/i.test(address);
  if (hasScheme || !/^[^\s/@.]+\.[^\s@]+$/.test(address)) return text;
  return URL.canParse(`https://${address}`) ? `https://${address}` : text;
}
