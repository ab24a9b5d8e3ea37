import { endedKeyDays } from '../../../lib/limits.ts';
import type { Context } from '../../foundation/context.ts';
import { defineJob } from '../../foundation/job.ts';
import { maxListedKeys, registrationMs } from './key.ts';
import { deleteEndedKeys } from './keys.sql.ts';

const endedMs = endedKeyDays * 86_400_000;
/** Each may name a thousand podcasts. */
const atOnce = 10;

/** Deletes the keys that have left their users' lists, and those of sites that no site has (KEY-23). */
export const purgeEndedKeysJob = defineJob({
  name: 'purge-ended-keys',
  timeoutSeconds: 1800,
  run: (ctx, _payload, { signal }) => purgeEndedKeys(ctx, signal),
});

async function purgeEndedKeys({ db, clock }: Context, signal: AbortSignal): Promise<void> {
  const now = clock.now();
  const since = new Date(now.getTime() - endedMs);
  // A registration that began in time may still be running.
  const registrableSince = new Date(now.getTime() - 2 * registrationMs);
  const ends = { now, since, keep: maxListedKeys, registrableSince };
  do signal.throwIfAborted();
  while ((await deleteEndedKeys(db, ends, atOnce)) === atOnce);
}
