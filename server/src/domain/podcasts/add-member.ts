import { isUniqueViolation } from '../../platform/database/sql-errors.ts';
import type { Context } from '../context.ts';
import { DomainError, type ErrorDetail, invalid } from '../errors.ts';
import { insertMember } from './members.sql.ts';
import { requireCapability } from './require-capability.ts';
import { type Capability, grantableCapabilities, type Role, roles } from './roles.ts';

export interface NewMember {
  readonly podcastId: string;
  readonly userId: string;
  readonly role: Role;
  /** For `custom` alone, and there required. */
  readonly roleName?: string | undefined;
  readonly capabilities?: readonly Capability[] | undefined;
}

/** Makes a user a member. There is one owner, who is a member from the podcast's making on. */
export async function addMember(ctx: Context, input: NewMember): Promise<void> {
  await requireCapability(ctx, input.podcastId, 'team.manage');
  const details = checkMember(input);
  if (details.length > 0) throw new DomainError('invalid', 'Not a membership.', { details });
  try {
    await insertMember(ctx.db, {
      podcastId: input.podcastId,
      userId: input.userId,
      role: input.role,
      roleName: input.roleName ?? null,
      capabilities: input.capabilities ?? null,
      createdAt: ctx.clock.now(),
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw invalid('user', 'This user is a member of the podcast already.');
  }
}

/** Every wrong field at once. */
export function checkMember(input: Omit<NewMember, 'podcastId' | 'userId'>): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  if (input.role === 'owner' || !roles.includes(input.role)) {
    const givable = roles.filter((role) => role !== 'owner').join(', ');
    details.push({ field: 'role', message: `A member's role is one of ${givable}.` });
  }
  const custom = input.role === 'custom';
  if (custom !== (input.roleName !== undefined)) {
    details.push({
      field: 'role_name',
      message: 'A custom role has a name, the others have theirs.',
    });
  }
  if (custom !== (input.capabilities !== undefined)) {
    details.push({
      field: 'capabilities',
      message: 'A custom role names its capabilities, the others have theirs.',
    });
  }
  const wrong = input.capabilities?.filter((name) => !grantableCapabilities.includes(name)) ?? [];
  if (wrong.length > 0) {
    details.push({
      field: 'capabilities',
      message: `These cannot be given to a member: ${wrong.join(', ')}.`,
    });
  }
  return details;
}
