/**
 * Headers, name and value, by which browsers keep to TLS for a year wherever BASE_URL has it. Hosts
 * under ours are somebody else's to decide about.
 */
export function transportSecurity(baseUrl: string): readonly string[] {
  return baseUrl.startsWith('https:') ? ['Strict-Transport-Security', 'max-age=31536000'] : [];
}
