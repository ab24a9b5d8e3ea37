import { isForeignKeyViolation } from '../../../platform/database/sql-errors.ts';
import { getUser, lockProvenUser, proveCurrentPassword } from '../../foundation/accounts/index.ts';
import { type Context, transact } from '../../foundation/context.ts';
import { queueEmail } from '../../foundation/emails/index.ts';
import { DomainError } from '../../foundation/errors.ts';
import { announceChange } from '../../foundation/outbox/index.ts';
import { requireUser } from '../../foundation/principal.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { deletePodcast } from '../shows/index.ts';
import { deleteUser, selectMemberships, selectOwnedShows } from './departure.sql.ts';

interface Deletion {
  readonly currentPassword: string;
  /** Deletes the user's own shows, too. Without it, an account that owns any is refused. */
  readonly withShows: boolean;
}

/**
 * Deletes the account of the signed-in user, for ever. Sessions, keys, sites and memberships end
 * in one transaction; an email confirms it. Shows are deleted one by one before that: if it breaks
 * off, the account is still there, and asking again continues.
 */
export async function deleteOwnAccount(
  ctx: Context,
  { currentPassword, withShows }: Deletion,
): Promise<void> {
  const userId = requireUser(ctx);
  const { accountId } = await getUser(ctx, userId);
  const shows = await selectOwnedShows(ctx.db, accountId);
  if (shows.length > 0 && !withShows) throw ownsShows(shows);
  const proof = await proveCurrentPassword(ctx, userId, currentPassword);
  for (const { id } of shows) {
    await deletePodcast(ctx, id, async (tx) => {
      await lockProvenUser(tx, proof);
    });
  }
  try {
    await transact(ctx, async (tx) => {
      const { email, name } = await lockProvenUser(tx, proof);
      for (const podcastId of await selectMemberships(tx.db, userId)) {
        await announceChange(tx, { kind: 'membership.removed', podcastId, userId });
      }
      // Before the deletion: the email has the language of the user.
      const values = { name, at: tx.clock.now() };
      await queueEmail(tx, { template: 'account-deleted', to: email, values });
      await deleteUser(tx.db, userId, accountId);
    });
  } catch (error) {
    // A show was made, or handed over to this account, in the meantime.
    if (!isForeignKeyViolation(error, 'podcasts_account_id_fkey')) throw error;
    throw ownsShows(await selectOwnedShows(ctx.db, accountId));
  }
}

const mostNamed = 20;

function ownsShows(shows: readonly { readonly title: string }[]): DomainError {
  const details = shows.slice(0, mostNamed).map(({ title }) => ({
    field: 'with_shows',
    ...sayRefusal('owns_show', { title }),
    reason: 'owns_shows',
  }));
  const message = 'This account owns shows. Transfer or delete them first.';
  return new DomainError('invalid', message, { details });
}
