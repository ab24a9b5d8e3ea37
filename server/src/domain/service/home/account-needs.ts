import { keyReminderDays } from '../../../lib/limits.ts';
import { monthOf, type Overage, readOverage } from '../../audience/overage/index.ts';
import type { Context } from '../../foundation/context.ts';
import { requireUser } from '../../foundation/principal.ts';
import { readBackupAge } from '../backups/index.ts';
import { type AccountFacts, selectAccountFacts } from './home-facts.sql.ts';

/** Something that a user should do about their account. */
export type AccountNeed =
  | { readonly kind: 'terms_to_accept'; readonly version: string }
  /** For the operator of the installation alone. */
  | { readonly kind: 'backup_overdue' }
  | { readonly kind: 'plan_lapsed' }
  | Overage
  /** A change of the address waits until its link is opened. */
  | { readonly kind: 'email_not_confirmed'; readonly email: string; readonly expiresAt: Date }
  | {
      readonly kind: 'key_expires';
      readonly keyId: string;
      readonly name: string;
      readonly expiresAt: Date;
    }
  | {
      readonly kind: 'site_expires';
      readonly siteId: string;
      readonly siteUrl: string;
      readonly expiresAt: Date;
    }
  /** An import that made no show. */
  | { readonly kind: 'import_failed'; readonly importId: string; readonly failedAt: Date };

const dayMs = 86_400_000;
/** As many days as the email that reminds of it. */
const expiresSoonMs = keyReminderDays * dayMs;
/** A failed import that nobody repeats is not mentioned after this. */
const failedRecentlyMs = 14 * dayMs;

/**
 * What the signed-in user should do about their account, the most urgent first. One statement; one more from
 * 80 % of the downloads of the plan on, and one where OPERATOR_EMAIL is set (two for the operator).
 */
export async function readAccountNeeds(ctx: Context): Promise<AccountNeed[]> {
  const userId = requireUser(ctx);
  const now = ctx.clock.now();
  const facts = await selectAccountFacts(ctx.db, userId, {
    now,
    month: monthOf(now),
    expiresBy: new Date(now.getTime() + expiresSoonMs),
    failedAfter: new Date(now.getTime() - failedRecentlyMs),
  });
  if (facts === undefined) return [];
  const overage = await readOverage(ctx, { ...facts, id: facts.accountId });
  const backup = await readBackupAge(ctx);
  return [
    ...findTerms(ctx, facts),
    ...(backup?.isOverdue === true ? [{ kind: 'backup_overdue' } as const] : []),
    ...(facts.planState === 'lapsed' ? [{ kind: 'plan_lapsed' } as const] : []),
    ...(overage === undefined ? [] : [overage]),
    ...facts.newEmails.map(({ email, expiresAt }) => {
      return { kind: 'email_not_confirmed', email, expiresAt: new Date(expiresAt) } as const;
    }),
    ...facts.expiring.map(toExpiry),
    ...facts.failedImports.map(({ id, failedAt }) => {
      return { kind: 'import_failed', importId: id, failedAt: new Date(failedAt) } as const;
    }),
  ];
}

function findTerms({ installation }: Context, { acceptedTerms }: AccountFacts): AccountNeed[] {
  const version = installation.terms?.version;
  if (version === undefined || acceptedTerms === version) return [];
  return [{ kind: 'terms_to_accept', version }];
}

function toExpiry(key: AccountFacts['expiring'][number]): AccountNeed {
  const { id: keyId, name, siteId, siteUrl } = key;
  const expiresAt = new Date(key.expiresAt);
  if (siteId === null || siteUrl === null) return { kind: 'key_expires', keyId, name, expiresAt };
  return { kind: 'site_expires', siteId, siteUrl, expiresAt };
}
