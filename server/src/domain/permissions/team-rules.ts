import { DomainError } from '../errors.ts';
import { sayRefusal } from '../refusals.ts';
import { capabilitiesOf, type Membership } from './roles.ts';

/**
 * True if the manager may grant, change or end this membership, or withdraw an invitation to it.
 * Managers need every capability that it includes, and only the owner manages admins.
 */
export function mayManage(manager: Membership, membership: Membership): boolean {
  // There is one owner; only a handover changes who it is.
  if (membership.role === 'owner') return false;
  if (manager.role === 'owner') return true;
  const own = capabilitiesOf(manager);
  return (
    own.includes('team.manage') &&
    membership.role !== 'admin' &&
    capabilitiesOf(membership).every((capability) => own.includes(capability))
  );
}

export function refuseGrant(manager: Membership, granted: Membership): void {
  if (mayManage(manager, granted)) return;
  throw new DomainError('forbidden', sayRefusal('role_beyond_yours'));
}

export function refuseManaging(manager: Membership, member: Membership): void {
  if (mayManage(manager, member)) return;
  throw new DomainError(
    'forbidden',
    sayRefusal(member.role === 'owner' ? 'owner_stays' : 'member_beyond_yours'),
  );
}
