/**
 * No table: sends what is due in a queue of requests to other servers, such as pings. Each module
 * that sends keeps its queue in a table of its own. docs/decisions/0057.
 */
export { releaseLostClaims, renewClaims } from './claims.sql.ts';
export {
  type Claim,
  type ClaimRequest,
  type FailureLane,
  retryAfter,
  type SendQueue,
} from './send-queue.ts';
export { Sender, startSending } from './sender.ts';
