import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a row's `email` is this address, ignoring case. The database lower-cases both, because
 * its unique indexes use its own rules.
 */
export function isEmailOf(address: string): RawBuilder<boolean> {
  return sql<boolean>`lower(email) = lower(${address}::text)`;
}
