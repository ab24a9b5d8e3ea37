import { DomainError } from '../../errors.ts';
import { capabilitiesOf, type Membership } from '../roles.ts';

/**
 * Whether somebody may give another this membership, change or end it, or take back that it was
 * offered: nobody has a say in what includes a capability they lack, and admins are the owner's.
 */
export function mayManage(actor: Membership, membership: Membership): boolean {
  // There is one owner, who changes by handing over.
  if (membership.role === 'owner') return false;
  if (actor.role === 'owner') return true;
  const own = capabilitiesOf(actor);
  return (
    own.includes('team.manage') &&
    membership.role !== 'admin' &&
    capabilitiesOf(membership).every((capability) => own.includes(capability))
  );
}

export function refuseGrant(actor: Membership, granted: Membership): void {
  if (mayManage(actor, granted)) return;
  const message =
    'You can only give roles that include no more than yours; admins are the owner’s.';
  throw new DomainError('forbidden', message);
}

export function refuseManaging(actor: Membership, member: Membership): void {
  if (mayManage(actor, member)) return;
  const message =
    member.role === 'owner'
      ? 'The owner stays, until the podcast is handed over.'
      : 'You can only change members whose roles include no more than yours; admins are the owner’s.';
  throw new DomainError('forbidden', message);
}
