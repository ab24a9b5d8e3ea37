import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import type { KeyKind } from '../../foundation/enumerations.ts';

/** A use as it is kept: to the minute, with what identifies a network. */
export interface PlaceUse {
  readonly keyId: string;
  readonly at: Date;
  readonly country: string | null;
  /** `AS15169` */
  readonly network: string | null;
  /** `AS15169 Google LLC` */
  readonly networkName: string | null;
}

export interface UsedKey {
  readonly id: string;
  readonly kind: KeyKind;
  /** For a site, the site's address. */
  readonly name: string;
  readonly lastFour: string;
  readonly userName: string;
  readonly email: string;
  /** It had been used before. */
  readonly wasInUse: boolean;
}

/**
 * Held until the transaction ends. All processes lock in the same order, so only one of them
 * reports a new place.
 */
export async function lockUsedKeys(db: Db, keyIds: readonly string[]): Promise<UsedKey[]> {
  const { rows } = await sql<UsedKey>`
    select k.id, k.kind, k.name, current.last_four as "lastFour", u.name as "userName", u.email,
      k.last_used_at is not null as "wasInUse"
    from api_keys k
    join api_key_secrets current on current.key_id = k.id and not current.replaced
    join users u on u.id = k.user_id
    where k.id = any (${keyIds}::uuid[])
    order by k.id for no key update of k`.execute(db);
  return rows;
}

export async function deletePlacesSeenBefore(
  db: Db,
  keyIds: readonly string[],
  moment: Date,
): Promise<void> {
  await sql`delete from api_key_places
    where key_id = any (${keyIds}::uuid[]) and last_seen_at < ${moment}`.execute(db);
}

const rowsOf = (uses: readonly PlaceUse[]) => sql`
  jsonb_to_recordset(${JSON.stringify(uses)}::jsonb) as used ("keyId" uuid, at timestamptz,
    country text, network text, "networkName" text)`;

/** Stores the places that are new, and returns them. */
export async function insertNewPlaces(
  db: Db,
  uses: readonly PlaceUse[],
): Promise<Pick<PlaceUse, 'keyId' | 'country' | 'network'>[]> {
  const { rows } = await sql<Pick<PlaceUse, 'keyId' | 'country' | 'network'>>`
    insert into api_key_places (key_id, country, network, last_seen_at)
    select "keyId", country, network, max(at) from ${rowsOf(uses)}
    group by "keyId", country, network
    on conflict on constraint api_key_places_key do nothing
    returning key_id as "keyId", country, network`.execute(db);
  return rows;
}

/** By api_key_places_key. */
export async function updatePlaces(db: Db, uses: readonly PlaceUse[]): Promise<void> {
  await sql`
    update api_key_places place set last_seen_at = seen.at
    from (select "keyId", country, network, max(at) as at from ${rowsOf(uses)}
      group by "keyId", country, network) seen
    where place.key_id = seen."keyId" and place.last_seen_at < seen.at
      and place.country is not distinct from seen.country
      and place.network is not distinct from seen.network`.execute(db);
}

export async function updateLastUses(db: Db, uses: readonly PlaceUse[]): Promise<void> {
  await sql`
    update api_keys k set last_used_at = latest.at, last_used_country = latest.country,
      last_used_network = latest."networkName"
    from (select distinct on ("keyId") * from ${rowsOf(uses)} order by "keyId", at desc) latest
    where k.id = latest."keyId" and (k.last_used_at is null or k.last_used_at <= latest.at)
    `.execute(db);
}
