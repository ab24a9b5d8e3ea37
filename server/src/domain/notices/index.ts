/** Letters that follow from changes, whoever makes them. No table: a consumer of `changes`. */

export { giveNoticeJob } from './give-notice.job.ts';
export { giveNotice } from './give-notice.ts';
