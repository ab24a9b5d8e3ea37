import { createHmac } from 'node:crypto';
import type { Context } from '../../foundation/context.ts';
import type { Manifest } from './manifest.ts';

type Keyed = Pick<Context['installation'], 'tagKey'>;

/** By table: what cannot be read, or found again, without the SECRET that made it. */
const dependents = {
  preview_links: 'preview links end',
  invitations: 'copied links of invitations end',
  download_logs: 'access logs that were read before are counted once more',
} as const;

const list = new Intl.ListFormat('en');

/** Equal for installations with the same SECRET, which it does not reveal. */
export function secretCheckOf({ tagKey }: Keyed): string {
  return createHmac('sha256', tagKey).update('SECRET of a backup').digest('hex');
}

/**
 * What does not work after a restore, because SECRET is not that of the backup, in a sentence. Undefined if it is
 * the same, or nothing in the backup depends on it.
 */
export function describeOtherSecret(
  { tables, secret_check: check }: Pick<Manifest, 'tables' | 'secret_check'>,
  installation: Keyed,
): string | undefined {
  if (check === undefined || check === secretCheckOf(installation)) return undefined;
  const lost = Object.entries(dependents).flatMap(([table, what]) =>
    tables.some(({ name, rows }) => name === table && rows > 0) ? [what] : [],
  );
  return lost.length === 0 ? undefined : `SECRET is not that of the backup: ${list.format(lost)}.`;
}
