/** Emails that follow from changes, whoever makes them. A consumer of `outbox`, without a table. */

export { notifyOfChangesJob } from './notify-of-changes.job.ts';
export { notifyOfChanges } from './notify-of-changes.ts';
