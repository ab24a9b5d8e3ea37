import { type RawBuilder, sql } from 'kysely';
import type { PlanState } from '../accounts/index.ts';
import type { Db } from '../database.ts';
import type { Capability, HostingType, Role } from '../podcasts/index.ts';
import type { Access, Caller, Target } from './caller.ts';

/** A secret is looked up by this much of its hash (index api_key_secrets_found_by). */
const foundByBytes = 16;

interface Row extends Omit<Caller, 'access'>, AccessRow {
  readonly hash: Buffer;
}

/** All null where there is no such target. */
interface AccessRow {
  readonly podcastId: string | null;
  readonly accountId: string;
  readonly owningPlan: string;
  readonly owningPlanState: PlanState;
  readonly hostingType: HostingType;
  readonly teamKeys: boolean;
  readonly role: Role | null;
  readonly roleName: string | null;
  readonly capabilities: Capability[] | null;
  readonly keyReaches: boolean;
  readonly episodeId: string | null;
  readonly isCredited: boolean;
  readonly sharesTranscript: boolean;
}

/**
 * One round trip: by api_key_secrets_found_by, then primary keys alone (of an episode's credits,
 * episode_credits_in_order).
 */
export async function selectCaller(
  db: Db,
  hash: Buffer,
  target: Target | undefined,
  now: Date,
): Promise<{ readonly caller: Caller; readonly hash: Buffer } | undefined> {
  const { columns, joins } = accessTo(target);
  const { rows } = await sql<Row>`
    select s.hash, s.last_four as "lastFour", s.expires_at as "expiresAt",
      k.id as "keyId", k.name as "keyName", k.kind, k.scopes, k.all_podcasts as "allPodcasts",
      k.created_at as "createdAt", u.id as "userId", u.name as "userName", u.email,
      u.accepted_terms as "acceptedTerms", own.plan, own.plan_state as "planState" ${columns}
    from api_key_secrets s
    join api_keys k on k.id = s.key_id
    join users u on u.id = k.user_id
    join accounts own on own.id = u.account_id
    ${joins}
    where substring(s.hash from 1 for ${sql.lit(foundByBytes)}) = ${hash.subarray(0, foundByBytes)}
      and s.expires_at > ${now} and k.revoked_at is null`.execute(db);
  return rows[0] && toCaller(rows[0]);
}

interface Part {
  readonly columns: RawBuilder<unknown>;
  readonly joins: RawBuilder<unknown>;
}

function accessTo(target: Target | undefined): Part {
  if (target === undefined) return { columns: sql``, joins: sql`` };
  const columns = sql`, p.id as "podcastId", p.account_id as "accountId",
    owning.plan as "owningPlan", owning.plan_state as "owningPlanState",
    p.hosting_type as "hostingType", p.team_keys as "teamKeys",
    m.role, m.role_name as "roleName", m.capabilities,
    named.blocked_at is null and (k.all_podcasts or named.key_id is not null) as "keyReaches"`;
  const joins = sql`
    left join accounts owning on owning.id = p.account_id
    left join podcast_members m on m.podcast_id = p.id and m.user_id = k.user_id
    left join api_key_podcasts named on named.key_id = k.id and named.podcast_id = p.id`;
  if ('podcastId' in target) {
    return { columns, joins: sql`left join podcasts p on p.id = ${target.podcastId} ${joins}` };
  }
  return {
    columns: sql`${columns}, e.id as "episodeId",
      e.share_transcript_with_cohosts as "sharesTranscript",
      exists (select from episode_credits credit
        join people person on person.id = credit.person_id
        where credit.episode_id = e.id and person.user_id = k.user_id) as "isCredited"`,
    joins: sql`left join episodes e on e.id = ${target.episodeId}
      left join podcasts p on p.id = e.podcast_id ${joins}`,
  };
}

function toCaller(row: Row): { caller: Caller; hash: Buffer } {
  return {
    hash: row.hash,
    caller: {
      keyId: row.keyId,
      keyName: row.keyName,
      kind: row.kind,
      lastFour: row.lastFour,
      expiresAt: row.expiresAt,
      scopes: row.scopes,
      allPodcasts: row.allPodcasts,
      createdAt: row.createdAt,
      userId: row.userId,
      userName: row.userName,
      email: row.email,
      acceptedTerms: row.acceptedTerms,
      plan: row.plan,
      planState: row.planState,
      access: row.podcastId == null ? undefined : toAccess(row, row.podcastId),
    },
  };
}

function toAccess(row: AccessRow, podcastId: string): Access {
  const { role, roleName, capabilities, episodeId } = row;
  return {
    podcastId,
    accountId: row.accountId,
    plan: row.owningPlan,
    planState: row.owningPlanState,
    hostingType: row.hostingType,
    teamKeys: row.teamKeys,
    membership: role === null ? undefined : { role, roleName, capabilities },
    keyReaches: row.keyReaches,
    episode:
      episodeId == null
        ? undefined
        : {
            id: episodeId,
            isCredited: row.isCredited,
            sharesTranscript: row.sharesTranscript,
          },
  };
}
