import { containsWebAddress, isDisplayName } from '../../../lib/display-name.ts';
import { isEmail } from '../../../lib/email-address.ts';
import { maxChars, passwordChars } from '../../../lib/limits.ts';
import type { PlanState } from '../enumerations.ts';
import type { ErrorDetail } from '../errors.ts';
import { sayRefusal } from '../refusals.ts';
import { findPlan, planIds } from './plans.ts';

export interface User {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
}

/** What belongs to the account, and not to the person. */
export interface Account {
  readonly id: string;
  readonly plan: string;
  readonly planState: PlanState;
}

export type ListedUser = Pick<User, 'id' | 'email' | 'name'> & {
  readonly plan: string;
  readonly planState: PlanState;
  readonly createdAt: Date;
  /** Of audio and pictures of all their podcasts. */
  readonly storedBytes: number;
  /** How many the plan includes; undefined: no limit. */
  readonly includedBytes: number | undefined;
};

/** The last one of a page. */
export type UserPosition = Pick<ListedUser, 'id' | 'createdAt'>;

export interface NewUser {
  readonly email: string;
  readonly password: string;
  readonly name?: string | undefined;
  /** Default: the installation's DEFAULT_PLAN. */
  readonly plan?: string | undefined;
  readonly planState?: PlanState | undefined;
  /** Whether the user agreed to the current terms; default true. */
  readonly acceptsTerms?: boolean | undefined;
}

/** Checks all fields at once. */
export function checkNewUser(user: NewUser): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  if (!isEmail(user.email)) {
    details.push({ field: 'email', ...sayRefusal('not_email') });
  }
  details.push(...checkPassword(user.password));
  if (user.name !== undefined) details.push(...checkName(user.name));
  if (user.plan !== undefined && findPlan(user.plan) === undefined) {
    details.push({ field: 'plan', message: `This must be one of ${planIds.join(', ')}.` });
  }
  return details;
}

export function checkPassword(password: string): ErrorDetail[] {
  const { min, max } = passwordChars;
  if (password.length >= min && password.length <= max) return [];
  return [{ field: 'password', ...sayRefusal('password_length', { min, max }) }];
}

export function checkName(name: string): ErrorDetail[] {
  if (!isDisplayName(name, maxChars.userName)) {
    return [{ field: 'name', ...sayRefusal('name_length', { max: maxChars.userName }) }];
  }
  if (!containsWebAddress(name)) return [];
  return [{ field: 'name', ...sayRefusal('name_web_address') }];
}
