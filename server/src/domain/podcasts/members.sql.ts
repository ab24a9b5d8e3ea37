import type { Db } from '../database.ts';
import type { Capability, Membership } from './roles.ts';

/** By the primary key. */
export async function selectMembership(
  db: Db,
  podcastId: string,
  userId: string,
): Promise<Membership | undefined> {
  const row = await db
    .selectFrom('podcast_members')
    .select(['role', 'role_name as roleName', 'capabilities'])
    .where('podcast_id', '=', podcastId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row && { ...row, capabilities: row.capabilities as Capability[] | null };
}

export async function insertMember(
  db: Db,
  member: Membership & { podcastId: string; userId: string; createdAt: Date },
): Promise<void> {
  await db
    .insertInto('podcast_members')
    .values({
      podcast_id: member.podcastId,
      user_id: member.userId,
      role: member.role,
      role_name: member.roleName,
      capabilities: member.capabilities === null ? null : [...member.capabilities],
      created_at: member.createdAt,
    })
    .execute();
}
