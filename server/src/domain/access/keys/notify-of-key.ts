import { formatMoment } from '../../../lib/time.ts';
import type { User } from '../../foundation/accounts/index.ts';
import { appUrl } from '../../foundation/addresses.ts';
import type { Context } from '../../foundation/context.ts';
import { type EmailValues, queueEmail } from '../../foundation/emails/index.ts';
import type { Key, KeyPodcasts } from './key.ts';
import { selectPodcastTitles } from './keys.sql.ts';

/** These functions email a key's user, in the transaction of the change they report. */

export async function notifyOfKey(
  tx: Context,
  template: 'key-created' | 'key-widened',
  key: Key,
  user: User,
): Promise<void> {
  const values = await describe(tx, key, user);
  await queueEmail<typeof template>(tx, { template, to: user.email, values });
}

export async function notifyOfRoll(tx: Context, key: Key, user: User): Promise<void> {
  const grace =
    key.replaced === null
      ? 'does not work any more'
      : `works until ${formatMoment(key.replaced.worksUntil)}`;
  const values = { ...(await describe(tx, key, user)), grace };
  await queueEmail(tx, { template: 'key-rolled', to: user.email, values });
}

async function describe(tx: Context, key: Key, user: User): Promise<EmailValues<'key-created'>> {
  return {
    name: user.name,
    key: key.name,
    lastFour: key.lastFour,
    scopes: key.scopes.join(', '),
    podcasts: await describePodcasts(tx, key.podcasts),
    expires: formatMoment(key.expiresAt),
    link: appUrl(tx.installation, 'keys'),
  };
}

const mostTitles = 10;

/** Titles for an email, the oldest podcast first. */
export async function describePodcasts(tx: Context, podcasts: KeyPodcasts): Promise<string> {
  if (podcasts === 'all') return 'all of yours, now and later';
  const titles = await selectPodcastTitles(tx.db, podcasts.slice(0, mostTitles));
  const more = podcasts.length - titles.length;
  return [...titles, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
