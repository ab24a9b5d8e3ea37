import { type Action, ruleOf } from './actions.ts';
import { administeringRoles, type MemberRole } from './roles.ts';

type Member = Pick<MemberRole, 'role' | 'capabilities'>;

/** Further facts for the rules; default: a signed-in user, and nothing is shared. */
interface Circumstances {
  readonly withKey?: boolean;
  readonly sharesTranscript?: boolean;
}

/** Whether a member may do this, with all episodes or with one that they see. */
export function allows(member: Member, action: Action, circumstances?: Circumstances): boolean {
  return findRoleRefusal(member, action, circumstances) === undefined;
}

/** Why a member's role does not allow it, in a sentence; undefined: it is allowed. */
export function findRoleRefusal(
  { role, capabilities }: Member,
  action: Action,
  { withKey = false, sharesTranscript = false }: Circumstances = {},
): string | undefined {
  const rule = ruleOf(action);
  const { capability, ownerOnly, administratorsOnly, unlessShared } = rule;
  if (ownerOnly === 'always' && role !== 'owner') return 'This is for the owner of the podcast.';
  if (ownerOnly === 'with a key' && withKey && role !== 'owner') {
    return 'Only the owner of the podcast may read this with a key.';
  }
  if (administratorsOnly && !administeringRoles.includes(role)) {
    return 'This is for the owner and the admins of the podcast.';
  }
  if (rule.seesAllEpisodes && !capabilities.includes('episodes.view_all')) {
    return 'Your role on this podcast does not include episodes.view_all.';
  }
  if (capability === undefined || capabilities.includes(capability)) return undefined;
  if (unlessShared === undefined)
    return `Your role on this podcast does not include ${capability}.`;
  return sharesTranscript ? undefined : 'The transcript of this episode is not shared with you.';
}
