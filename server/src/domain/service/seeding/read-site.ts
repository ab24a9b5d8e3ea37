import { checkApproval } from '../../exchange/sites/index.ts';
import type { ErrorDetail } from '../../foundation/errors.ts';
import type { SiteEntry } from './schema.ts';

/** The fields of an approved connection that an unregistered key must not have. */
const fieldsOfCode = ['site_url', 'rest_root', 'code_challenge'] as const;

/** The fields of its flow, and the addresses of an approval. */
export function checkSite(entry: SiteEntry): ErrorDetail[] {
  if (entry.flow === 'key') {
    const surplus = fieldsOfCode.filter((field) => entry[field] !== undefined);
    return surplus.map((field) => ({
      field,
      message: 'This is only allowed with the flow "code".',
    }));
  }
  const missing = fieldsOfCode.filter((field) => entry[field] === undefined);
  const wrong = checkApproval(readAddresses(entry)).filter(
    ({ field }) => !missing.some((name) => name === field),
  );
  return [...missing.map((field) => ({ field, message: 'This is required.' })), ...wrong];
}

export function readAddresses({ site_url: siteUrl, rest_root: restRoot, ...entry }: SiteEntry) {
  return { siteUrl, restRoot, codeChallenge: entry.code_challenge ?? '' };
}
