/**
 * What happens when an account has more downloads in a month than its plan includes: emails, and
 * where the installation wants it a suspension. Table: overages.
 */

export { changePlan } from './change-plan.ts';
export { type Month, monthOf } from './month.ts';
export { downloadsOfMonth } from './overage.sql.ts';
export { type Overage, readOverage } from './read-overage.ts';
export { watchOverageJob } from './watch-overage.job.ts';
export { watchOverage } from './watch-overage.ts';
