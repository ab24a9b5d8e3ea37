import type pg from 'pg';

/** Longer than the delay of any job. */
const longestDelay = "interval '1 hour'";

/** When something was last done, by the clock of then. The queue repeats it only some time later. */
const lastTimes = {
  version: ['cron_on', 'bam_on', 'flow_on', 'reindex_on', 'monitor_backoff_on'],
  queue: ['monitor_claim_on', 'maintain_on'],
} as const;

/**
 * Corrects times of the job queue (pg-boss) that are in the future, because the clock was set back. Until
 * they came, no schedule would run, jobs that wait would keep others from being enqueued, and jobs of a
 * dead process would count as running.
 */
export async function forgetFutureTimes(pool: pg.Pool): Promise<void> {
  for (const [table, columns] of Object.entries(lastTimes)) {
    const corrected = columns.map((name) => `${name} = least(${name}, now())`);
    const isWrong = columns.map((name) => `${name} > now() + ${longestDelay}`);
    await pool.query(
      `update pgboss.${table} set ${corrected.join(', ')} where ${isWrong.join(' or ')}`,
    );
  }
  await pool.query(
    `update pgboss.job set start_after = now()
    where state < 'active' and start_after > now() + ${longestDelay}`,
  );
  await pool.query(
    `update pgboss.job set heartbeat_on = least(heartbeat_on, now()), started_on = least(started_on, now())
    where state = 'active' and greatest(heartbeat_on, started_on) > now() + ${longestDelay}`,
  );
}
