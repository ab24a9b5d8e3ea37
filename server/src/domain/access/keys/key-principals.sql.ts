import { sql } from 'kysely';
import type { Db } from '../../foundation/database.ts';
import type { KeyKind } from '../../foundation/enumerations.ts';
import {
  keyRelationTo,
  planIncludesApi,
  type RelationRow,
  toRelation,
} from '../../foundation/permissions/index.ts';
import type { KeyPrincipal, SiteOfKey } from '../../foundation/principal.ts';
import type { Resource } from '../../foundation/relation.ts';
import { registrationMs } from './key.ts';

/**
 * The length of the part of its hash that a secret is looked up by (index
 * api_key_secrets_found_by).
 */
const foundByBytes = 16;

type Key = KeyPrincipal['key'];
type User = KeyPrincipal['user'];

interface SiteRow {
  readonly siteId: string | null;
  readonly siteUrl: string | null;
  readonly siteIsActive: boolean;
  readonly siteTranscripts: boolean | null;
}

interface Row
  extends RelationRow,
    SiteRow,
    Omit<Key, 'id' | 'name'>,
    Pick<User, 'email' | 'acceptedTerms'> {
  readonly hash: Buffer;
  readonly kind: KeyKind;
  readonly keyId: string;
  readonly keyName: string;
  readonly userId: string;
  readonly userName: string;
  readonly ownPlan: string;
  readonly ownPlanState: User['planState'];
}

const siteColumns = sql`site.id as "siteId", site.site_url as "siteUrl",
  site.transcripts as "siteTranscripts", site.activated_at is not null as "siteIsActive"`;

/**
 * One round trip: by api_key_secrets_found_by, then by primary keys and sites_key_id_key. A site's
 * key that was not registered in time is not found.
 */
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
      ${siteColumns}, ${columns}
    from api_key_secrets s
    join api_keys k on k.id = s.key_id
    join users u on u.id = k.user_id
    join accounts own on own.id = u.account_id
    left join sites site on site.key_id = k.id
    ${joins}
    where substring(s.hash from 1 for ${sql.lit(foundByBytes)}) = ${hash.subarray(0, foundByBytes)}
      and s.expires_at > ${now} and k.revoked_at is null
      and (k.kind = 'user' or site.id is not null
        or k.created_at > ${new Date(now.getTime() - registrationMs)})`.execute(db);
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
    site: toSite(row),
    requested: resource && { resource, relation: toRelation(row) },
  };
}

function toSite(row: SiteRow): SiteOfKey | undefined {
  const { siteId: id, siteUrl, siteIsActive, siteTranscripts } = row;
  if (id === null || siteUrl === null) return undefined;
  const status = siteIsActive ? 'active' : 'pending';
  return { id, siteUrl, status, transcripts: siteTranscripts === true };
}

/** A site's key that works. */
export interface LiveSiteKey extends Pick<KeyPrincipal, 'site'> {
  /** It was made for a command line; a key from an exchange was not. */
  readonly isForRegistration: boolean;
  /** True if it names a podcast of its user whose plan includes the API. */
  readonly reachesPlanWithApi: boolean;
}

/** By api_key_secrets_pkey and sites_key_id_key; its podcasts by api_key_podcasts_pkey. */
export async function selectLiveSiteKey(
  db: Db,
  keyId: string,
  now: Date,
): Promise<LiveSiteKey | undefined> {
  const { rows } = await sql<SiteRow & Omit<LiveSiteKey, 'site'>>`
    select ${siteColumns}, k.for_registration as "isForRegistration",
      exists (select from api_key_podcasts named
        join podcast_members m on m.podcast_id = named.podcast_id and m.user_id = k.user_id
        join podcasts p on p.id = named.podcast_id
        join accounts owning on owning.id = p.account_id
        where named.key_id = k.id and named.blocked_at is null and ${planIncludesApi})
        as "reachesPlanWithApi"
    from api_keys k
    join api_key_secrets s on s.key_id = k.id and not s.replaced
    left join sites site on site.key_id = k.id
    where k.id = ${keyId} and k.revoked_at is null and s.expires_at > ${now}`.execute(db);
  const [row] = rows;
  if (row === undefined) return undefined;
  const { isForRegistration, reachesPlanWithApi } = row;
  return { site: toSite(row), isForRegistration, reachesPlanWithApi };
}
