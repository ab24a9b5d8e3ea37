import type { User } from '../../foundation/accounts/index.ts';
import { appUrl } from '../../foundation/addresses.ts';
import type { Context } from '../../foundation/context.ts';
import { type EmailValue, type EmailValues, queueEmail } from '../../foundation/emails/index.ts';
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
  const grace: EmailValue<'sentence'> =
    key.replaced === null
      ? { sentence: 'secretEnded', values: {} }
      : { sentence: 'secretWorks', values: { until: key.replaced.worksUntil } };
  const values = { ...(await describe(tx, key, user)), grace };
  await queueEmail(tx, { template: 'key-rolled', to: user.email, values });
}

async function describe(tx: Context, key: Key, user: User): Promise<EmailValues<'key-created'>> {
  return {
    name: user.name,
    key: key.name,
    lastFour: key.lastFour,
    scopes: key.scopes,
    podcasts: await describePodcasts(tx, key.podcasts),
    expires: key.expiresAt,
    link: appUrl(tx.installation, 'keys'),
  };
}

const mostTitles = 10;

/** Titles for an email, the oldest podcast first. */
export async function describePodcasts(
  tx: Context,
  podcasts: KeyPodcasts,
): Promise<EmailValue<'podcasts'>> {
  if (podcasts === 'all') return podcasts;
  const titles = await selectPodcastTitles(tx.db, podcasts.slice(0, mostTitles));
  return { titles, more: podcasts.length - titles.length };
}
