import { type RawBuilder, sql } from 'kysely';
import type { Capability } from '../../../lib/team-roles.ts';
import { plansWithApi } from '../accounts/index.ts';
import type { Db } from '../database.ts';
import type { Role } from '../enumerations.ts';
import type { EpisodeRelation, KeyRelation, Relation, Resource } from '../relation.ts';
import { administeringRoles, rolesWith } from './roles.ts';

const constants = (values: readonly string[]) => sql.join(values.map((value) => sql.lit(value)));

/** True if the plan allows keyed reads; lists filter by it. From `accounts owning`. */
export const planIncludesApi = sql<boolean>`(owning.plan_state = 'active'
  and owning.plan in (${constants(plansWithApi)}))`;

/**
 * True if the member may use keys; the owner holds every capability. From `podcasts p` and
 * `podcast_members m`.
 */
export const allowsKeys = sql<boolean>`(p.team_keys
  or m.role in (${constants(rolesWith('show.api_access'))})
  or coalesce('show.api_access' = any (m.capabilities), false))`;

/** True if the member owns or administers the podcast. From `podcast_members m`. */
export const administers = sql<boolean>`m.role in (${constants(administeringRoles)})`;

/** True if the episode itself credits the user. From `episodes e`, by episode_credits_in_order. */
export const creditsUser = (userId: RawBuilder<unknown>) => sql<boolean>`exists (
  select from episode_credits credit join people person on person.id = credit.person_id
  where credit.episode_id = e.id and person.user_id = ${userId})`;

/**
 * Whether a member may see an episode: `creditedUserId` of the grant that `authorize` returns. From
 * `episodes e`.
 */
export const isSeenBy = (creditedUserId: string | undefined) =>
  creditedUserId === undefined ? sql<boolean>`true` : creditsUser(sql`${creditedUserId}::uuid`);

/** A Relation in one row. All columns are null if the resource does not exist. */
export interface RelationRow extends Partial<KeyRelation & Omit<EpisodeRelation, 'id'>> {
  readonly podcastId: string | null;
  readonly plan?: string | null;
  readonly role: Role | null;
  readonly roleName: string | null;
  readonly capabilities: readonly Capability[] | null;
  readonly episodeId?: string | null;
}

export interface Part {
  readonly columns: RawBuilder<unknown>;
  /** Goes after a table or a join. Every join is a left join by a primary key. */
  readonly joins: RawBuilder<unknown>;
}

/**
 * Columns and joins that read a RelationRow as part of another statement. `userId` is an
 * expression. An episode's credits are read by episode_credits_in_order.
 */
function relationTo(resource: Resource, userId: RawBuilder<unknown>): Part {
  const { podcastId, episodeId } = resource;
  const ofPodcast = podcastId === undefined ? sql`` : sql`and e.podcast_id = ${podcastId}`;
  const columns = sql`p.id as "podcastId", owning.plan,
    m.role, m.role_name as "roleName", m.capabilities`;
  const member = sql`left join accounts owning on owning.id = p.account_id
    left join podcast_members m on m.podcast_id = p.id and m.user_id = ${userId}`;
  if (episodeId === undefined) {
    return { columns, joins: sql`left join podcasts p on p.id = ${podcastId} ${member}` };
  }
  return {
    columns: sql`${columns}, e.id as "episodeId",
      e.share_transcript_with_cohosts as "sharesTranscript",
      ${creditsUser(userId)} as "isCredited"`,
    joins: sql`left join episodes e on e.id = ${episodeId} ${ofPodcast}
      left join podcasts p on p.id = e.podcast_id ${member}`,
  };
}

/** Like `relationTo`, for the key `k`. */
export function keyRelationTo(resource: Resource): Part {
  const { columns, joins } = relationTo(resource, sql`k.user_id`);
  return {
    columns: sql`${columns}, owning.id as "accountId", owning.plan_state as "planState",
      ${planIncludesApi} as "planIncludesApi", ${allowsKeys} as "isAllowed",
      named.blocked_at is null and (k.all_podcasts or named.key_id is not null) as "isCovered"`,
    joins: sql`${joins}
      left join api_key_podcasts named on named.key_id = k.id and named.podcast_id = p.id`,
  };
}

export function toRelation(row: RelationRow | undefined): Relation | undefined {
  if (!isOfPodcast(row)) return undefined;
  const { podcastId, plan, role, roleName, capabilities, episodeId } = row;
  const { isCredited = false, sharesTranscript = false } = row;
  return {
    podcastId,
    plan,
    membership: role === null ? undefined : { role, roleName, capabilities },
    episode: episodeId == null ? undefined : { id: episodeId, isCredited, sharesTranscript },
    key: toKeyRelation(row),
  };
}

function toKeyRelation(row: RelationRow): KeyRelation | undefined {
  if (!isOfKey(row)) return undefined;
  const { accountId, planState, planIncludesApi, isCovered, isAllowed } = row;
  return { accountId, planState, planIncludesApi, isCovered, isAllowed };
}

// A podcast has a plan, and a key's columns come together.
const isOfPodcast = (
  row: RelationRow | undefined,
): row is RelationRow & Pick<Relation, 'podcastId' | 'plan'> => row?.podcastId != null;
const isOfKey = (row: RelationRow): row is RelationRow & KeyRelation => row.accountId != null;

/** One statement, by primary keys. */
export async function selectRelation(
  db: Db,
  userId: string,
  resource: Resource,
): Promise<Relation | undefined> {
  const { columns, joins } = relationTo(resource, sql`${userId}::uuid`);
  const { rows } = await sql<RelationRow>`
    select ${columns} from (values (1)) one ${joins}`.execute(db);
  return toRelation(rows[0]);
}

/** By api_keys_pkey, then by the primary keys of `selectRelation`. */
export async function selectKeyRelation(
  db: Db,
  keyId: string,
  resource: Resource,
): Promise<Relation | undefined> {
  const { columns, joins } = keyRelationTo(resource);
  const { rows } = await sql<RelationRow>`
    select ${columns} from api_keys k ${joins} where k.id = ${keyId}`.execute(db);
  return toRelation(rows[0]);
}

/** By episodes_pkey. */
export async function selectPodcastIdOfEpisode(
  db: Db,
  episodeId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('episodes')
    .select('podcast_id')
    .where('id', '=', episodeId)
    .executeTakeFirst();
  return row?.podcast_id;
}
