/**
 * Names and values of the headers that make browsers use TLS for a year, if BASE_URL has it. They
 * do not include subdomains, which may belong to others.
 */
export function transportSecurity(baseUrl: string): readonly string[] {
  return baseUrl.startsWith('https:') ? ['Strict-Transport-Security', 'max-age=31536000'] : [];
}
