import { type Context, transact } from '../../foundation/context.ts';
import { invalid, requireFound } from '../../foundation/errors.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { authorize } from '../../foundation/permissions/index.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { revise } from '../../foundation/revisions/index.ts';
import { selectIdsOfPodcast } from '../episodes/index.ts';
import { findOrAddPerson } from './add-person.ts';
import {
  selectCreditedAmong,
  selectCreditedEpisodes,
  selectMember,
  selectOwnCredits,
  selectPersonByName,
  selectPersonOfUser,
  selectRosterIds,
  updatePersonColumns,
} from './people.sql.ts';
import type { Credit, KnownPerson, NewPerson } from './person.ts';
import { setCredits } from './set-credits.ts';

/** A member of the team, who may not be one of the show's people yet. */
export interface CreditedMember {
  readonly podcastId: string;
  readonly userId: string;
}

/** Lists the episodes that credit the member themselves: those that a co-host sees. */
export async function listCreditedEpisodes(
  ctx: Context,
  { podcastId, userId }: CreditedMember,
): Promise<string[]> {
  await authorize(ctx, 'people.link', { podcastId });
  return selectCreditedEpisodes(ctx.db, podcastId, userId);
}

/** The role, in the taxonomy, of the person whom `creditMember` credits: theirs, or a new person's. */
export async function getRoleToCredit(ctx: Context, member: CreditedMember): Promise<string> {
  const { podcastId, userId } = member;
  await authorize(ctx, 'people.link', { podcastId });
  const linked = await selectPersonOfUser(ctx.db, podcastId, userId);
  if (linked !== undefined) return linked.role;
  const { name, role } = await getNewPerson(ctx, member);
  return (await selectPersonByName(ctx.db, podcastId, name.trim()))?.role ?? role;
}

/**
 * Credits a member on episodes that do not credit them yet, and on all or none of them. An episode
 * that had the show's roster keeps it, as its own credits.
 */
export async function creditMember(
  ctx: Context,
  { podcastId, userId }: CreditedMember,
  episodeIds: readonly string[],
): Promise<void> {
  await authorize(ctx, 'people.link', { podcastId });
  // On its own, because it locks the podcast, which others do after an episode.
  const { id: personId } = await transact(ctx, (tx) => personOf(tx, { podcastId, userId }));
  await transact(ctx, async (tx) => {
    await authorize(tx, 'people.link', { podcastId });
    const wanted = [...new Set(episodeIds.map((id) => id.toLowerCase()))];
    const known = new Set(await selectIdsOfPodcast(tx.db, podcastId, wanted));
    const unknown = wanted.findIndex((id) => !known.has(id));
    if (unknown !== -1) throw invalid(`episode_ids[${unknown}]`, 'The show has no such episode.');
    const roster = await selectRosterIds(tx.db, podcastId);
    const credited = await selectCreditedAmong(tx.db, userId, wanted);
    // In one order for everybody, so that two of these wait for each other.
    for (const episodeId of wanted.filter((id) => !credited.has(id)).sort()) {
      await revise(tx, { episodeId }, ['people']);
      const own = await selectOwnCredits(tx.db, episodeId);
      const before: readonly Credit[] =
        own.length > 0 ? own : roster.map((id) => ({ personId: id }));
      const others = before.filter((credit) => credit.personId !== personId);
      await setCredits(tx, episodeId, [...others, { personId }]);
    }
  });
}

/** The show's person who is the member: linked already, of the same name, or new. */
async function personOf(ctx: Context, { podcastId, userId }: CreditedMember): Promise<KnownPerson> {
  const linked = await selectPersonOfUser(ctx.db, podcastId, userId);
  if (linked !== undefined) return linked;
  const person = await findOrAddPerson(ctx, await getNewPerson(ctx, { podcastId, userId }));
  // Somebody else may have this name and an account of their own.
  if (person.userId !== null) throw invalid('user_id', sayRefusal('person_linked_elsewhere'));
  await revise(ctx, { podcastId }, ['people']);
  await updatePersonColumns(ctx.db, person.id, { userId });
  await announceChange(ctx, { kind: 'podcast.changed', podcastId });
  return { ...person, userId };
}

/** The person to add for a member. Listeners read the role, so a co-host must not become the host. */
async function getNewPerson(
  { db }: Context,
  { podcastId, userId }: CreditedMember,
): Promise<NewPerson & { readonly role: string }> {
  const { name, role } = requireFound(await selectMember(db, podcastId, userId), 'member');
  return { podcastId, name, role: role === 'cohost' ? 'co-host' : 'host', roster: false };
}
