import { type RawBuilder, sql } from 'kysely';

/**
 * Whether `email` of a row is this address, capitals apart. The database lowers both: which letters
 * have a lower case is its own to say, and its unique indexes go by it.
 */
export function isEmailOf(address: string): RawBuilder<boolean> {
  return sql<boolean>`lower(email) = lower(${address}::text)`;
}
