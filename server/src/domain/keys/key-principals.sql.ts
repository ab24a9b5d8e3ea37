import { sql } from 'kysely';
import type { Db } from '../database.ts';
import {
  keyRelationTo,
  type RelationRow,
  type Resource,
  toRelation,
} from '../permissions/index.ts';
import type { KeyPrincipal } from '../principal.ts';
import type { KeyKind } from './key.ts';

/**
 * The length of the part of its hash that a secret is looked up by (index
 * api_key_secrets_found_by).
 */
const foundByBytes = 16;

type Key = KeyPrincipal['key'];
type User = KeyPrincipal['user'];

interface Row extends RelationRow, Omit<Key, 'id' | 'name'>, Pick<User, 'email' | 'acceptedTerms'> {
  readonly hash: Buffer;
  readonly kind: KeyKind;
  readonly keyId: string;
  readonly keyName: string;
  readonly userId: string;
  readonly userName: string;
  readonly ownPlan: string;
  readonly ownPlanState: User['planState'];
}

/** One round trip: by api_key_secrets_found_by, then by primary keys alone. */
export async function selectKeyPrincipal(
  db: Db,
  hash: Buffer,
  resource: Resource | undefined,
  now: Date,
): Promise<{ readonly principal: KeyPrincipal; readonly hash: Buffer } | undefined> {
  const { columns, joins } =
    resource === undefined
      ? { columns: sql`null as "podcastId"`, joins: sql`` }
      : keyRelationTo(resource);
  const { rows } = await sql<Row>`
    select s.hash, s.last_four as "lastFour", s.expires_at as "expiresAt",
      k.id as "keyId", k.name as "keyName", k.kind, k.scopes, k.all_podcasts as "allPodcasts",
      k.created_at as "createdAt", u.id as "userId", u.name as "userName", u.email,
      u.accepted_terms as "acceptedTerms", own.plan as "ownPlan", own.plan_state as "ownPlanState",
      ${columns}
    from api_key_secrets s
    join api_keys k on k.id = s.key_id
    join users u on u.id = k.user_id
    join accounts own on own.id = u.account_id
    ${joins}
    where substring(s.hash from 1 for ${sql.lit(foundByBytes)}) = ${hash.subarray(0, foundByBytes)}
      and s.expires_at > ${now} and k.revoked_at is null`.execute(db);
  const [row] = rows;
  return row && { principal: toPrincipal(row, resource), hash: row.hash };
}

function toPrincipal(row: Row, resource: Resource | undefined): KeyPrincipal {
  const { lastFour, expiresAt, scopes, allPodcasts, createdAt } = row;
  return {
    kind: row.kind === 'user' ? 'key' : 'site',
    userId: row.userId,
    user: {
      name: row.userName,
      email: row.email,
      acceptedTerms: row.acceptedTerms,
      plan: row.ownPlan,
      planState: row.ownPlanState,
    },
    key: { id: row.keyId, name: row.keyName, lastFour, expiresAt, scopes, allPodcasts, createdAt },
    requested: resource && { resource, relation: toRelation(row) },
  };
}
