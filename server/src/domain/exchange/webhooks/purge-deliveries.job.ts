import { webhookDeliveryDays } from '../../../lib/limits.ts';
import { defineJob } from '../../foundation/job.ts';
import { deleteEndedDeliveries } from './deliveries.sql.ts';

const atOnce = 5_000;

/** Deletes deliveries of more than a week ago, except those that still wait. */
export const purgeDeliveriesJob = defineJob({
  name: 'purge-webhook-deliveries',
  timeoutSeconds: 600,
  async run(ctx, _payload, { signal }) {
    const before = new Date(ctx.clock.now().getTime() - webhookDeliveryDays * 86_400_000);
    while (!signal.aborted) {
      if ((await deleteEndedDeliveries(ctx.db, before, atOnce)) < atOnce) return;
    }
  },
});
