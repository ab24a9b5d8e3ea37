/**
 * Who may do what. `actions.ts` lists what each action requires, `authorize` decides. Owns no
 * table.
 */

export { type Capability, capabilities, grantableCapabilities } from '../../../lib/team-roles.ts';
export {
  type Action,
  audioDecidesFeed,
  type KeyedAction,
  type SiteAction,
  scopeOf,
} from './actions.ts';
export {
  allows,
  allowsWithEpisode,
  authorize,
  type Grant,
  type PlanQuota,
  requireRegistered,
  requireScope,
} from './authorize.ts';
export {
  administers,
  allowsKeys,
  creditsUser,
  isSeenBy,
  keyRelationTo,
  planIncludesApi,
  type RelationRow,
  toRelation,
} from './relations.sql.ts';
export {
  grantableBy,
  type MemberRole,
  mayManage,
  refuseGrant,
  refuseManaging,
  roleNameOf,
  roleOf,
  rolesGivenBy,
  seesAllEpisodes,
} from './roles.ts';
