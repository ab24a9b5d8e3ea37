import { type SqlBool, sql } from 'kysely';
import { type Db, toRow } from '../../foundation/database.ts';
import type { Membership } from '../../foundation/relation.ts';
import type { MyPodcast, MyPodcastsQuery } from './podcast.ts';
import type { CountedMember, Member } from './team/member.ts';

/** By the primary key. */
export function selectMembership(
  db: Db,
  podcastId: string,
  userId: string,
): Promise<Membership | undefined> {
  return db
    .selectFrom('podcast_members')
    .select(['role', 'role_name as roleName', 'capabilities'])
    .where('podcast_id', '=', podcastId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Lists the oldest first. By podcast_members_of_user. */
export async function selectPodcastsOfUser(
  db: Db,
  userId: string,
  { limit, after, refs, title }: MyPodcastsQuery,
): Promise<Omit<MyPodcast, 'isOwn' | 'may' | 'suspensionEndsOn'>[]> {
  const rows = await db
    .selectFrom('podcast_members as m')
    .innerJoin('podcasts as p', 'p.id', 'm.podcast_id')
    .select([
      'p.id',
      'p.slug',
      'p.title',
      'p.status',
      'p.suspended_for as suspendedFor',
      'p.hosting_type as hostingType',
      'p.timezone',
      'p.team_keys as teamKeys',
      'p.created_at as createdAt',
      'm.role',
      'm.role_name as roleName',
      'm.capabilities',
    ])
    .where('m.user_id', '=', userId)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(m.podcast_created_at, m.podcast_id) > (${after?.createdAt}, ${after?.id})`,
      ),
    )
    .$if(refs !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(p.id::text = any (${refs}::text[]) or p.slug = any (${refs}::text[]))`,
      ),
    )
    .$if(title !== undefined, (query) =>
      query.where(
        sql<SqlBool>`position(lower(${title}::text) in lower(p.title || ' ' || p.slug)) > 0`,
      ),
    )
    .orderBy('m.podcast_created_at')
    .orderBy('m.podcast_id')
    .limit(limit)
    .execute();
  return rows.map(({ role, roleName, capabilities, ...podcast }) => ({
    ...podcast,
    membership: { role, roleName, capabilities },
  }));
}

export async function insertMember(
  db: Db,
  member: Membership & { podcastId: string; userId: string; createdAt: Date },
): Promise<void> {
  const { podcastId, userId, role, roleName, capabilities, createdAt } = member;
  await db
    .insertInto('podcast_members')
    .values({
      ...toRow({ podcastId, userId, role, roleName, capabilities, createdAt }),
      podcast_created_at: sql<Date>`(select created_at from podcasts where id = ${podcastId})`,
    })
    .execute();
}

/** Lists the owner first, then the others by when they joined. By podcast_members_pkey. */
export function selectMembers(db: Db, podcastId: string): Promise<Member[]> {
  return membersOf(db, podcastId).execute();
}

/** The same, with what reads all credits of each: by people_user and episode_credits_of_person. */
export function selectCountedMembers(db: Db, podcastId: string): Promise<CountedMember[]> {
  return membersOf(db, podcastId)
    .select(
      sql<number>`(select count(distinct credit.episode_id) from people person
        join episode_credits credit on credit.person_id = person.id
        where person.podcast_id = member.podcast_id and person.user_id = member.user_id)`.as(
        'creditedEpisodes',
      ),
    )
    .execute();
}

const membersOf = (db: Db, podcastId: string) =>
  db
    .selectFrom('podcast_members as member')
    .innerJoin('users', 'users.id', 'member.user_id')
    .select([
      'member.user_id as userId',
      'users.name',
      'users.email',
      'member.role',
      'member.role_name as roleName',
      'member.capabilities',
      'member.created_at as createdAt',
    ])
    .where('member.podcast_id', '=', podcastId)
    .orderBy(sql`member.role <> 'owner'`)
    .orderBy('member.created_at')
    .orderBy('member.user_id');

export async function updateMember(
  db: Db,
  member: Membership & { podcastId: string; userId: string },
): Promise<void> {
  const { podcastId, userId, role, roleName, capabilities } = member;
  await db
    .updateTable('podcast_members')
    .set(toRow({ role, roleName, capabilities }))
    .where('podcast_id', '=', podcastId)
    .where('user_id', '=', userId)
    .execute();
}

export async function deleteMember(db: Db, podcastId: string, userId: string): Promise<void> {
  await db
    .deleteFrom('podcast_members')
    .where('podcast_id', '=', podcastId)
    .where('user_id', '=', userId)
    .execute();
}
