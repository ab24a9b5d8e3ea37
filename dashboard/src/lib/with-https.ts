/** The address of a page, with the `https://` that people leave out. Other text stays as it is. */
export function withHttps(text: string): string {
  const address = text.trim();
  // What looks like a scheme, with digits behind it, is a host with its port.
  const hasScheme = /^[a-z][a-z\d+.-]*:(?!\d)/i.test(address);
  if (hasScheme || !/^[^\s/@.]+\.[^\s@]+$/.test(address)) return text;
  return URL.canParse(`https://${address}`) ? `https://${address}` : text;
}
