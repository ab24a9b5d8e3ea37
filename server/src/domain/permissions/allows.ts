import { type Action, ruleOf } from './actions.ts';
import { administeringRoles, type MemberRole } from './roles.ts';

/** Whether a member who is signed in may do this with the whole podcast. */
export function allows(member: Pick<MemberRole, 'role' | 'capabilities'>, action: Action): boolean {
  const rule = ruleOf(action);
  const { capability, ownerOnly, administratorsOnly } = rule;
  if (ownerOnly === 'always' && member.role !== 'owner') return false;
  if (administratorsOnly && !administeringRoles.includes(member.role)) return false;
  if (rule.seesAllEpisodes && !member.capabilities.includes('episodes.view_all')) return false;
  return capability === undefined || member.capabilities.includes(capability);
}
