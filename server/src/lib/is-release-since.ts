/**
 * Whether a version of Semantic Versioning, such as 1.2.0 or 1.3.0-rc.1, is this release or a newer one.
 * The pre-releases of a release come before it.
 */
export function isReleaseSince(version: string, release: string): boolean {
  const [numbers = '', ...suffix] = version.split(/(?=[-+])/);
  const [own, other] = [numbers, release].map((text) => text.split('.').map(Number));
  for (const [at, number] of (own ?? []).entries()) {
    const difference = number - (other?.[at] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return suffix[0]?.startsWith('-') !== true;
}
