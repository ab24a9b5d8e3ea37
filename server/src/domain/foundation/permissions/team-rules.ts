import { mayManage } from '../../../lib/team-roles.ts';
import { DomainError } from '../errors.ts';
import { sayRefusal } from '../refusals.ts';
import type { Membership } from '../relation.ts';
import { roleOf } from './roles.ts';

export function refuseGrant(manager: Membership, granted: Membership): void {
  if (mayManage(roleOf(manager), roleOf(granted))) return;
  throw new DomainError('forbidden', sayRefusal('role_beyond_yours'));
}

export function refuseManaging(manager: Membership, member: Membership): void {
  if (mayManage(roleOf(manager), roleOf(member))) return;
  throw new DomainError(
    'forbidden',
    sayRefusal(member.role === 'owner' ? 'owner_stays' : 'member_beyond_yours'),
  );
}
