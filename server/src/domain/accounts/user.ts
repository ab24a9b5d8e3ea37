import { isEmail } from '../../lib/email-address.ts';
import { holdsWebAddress, isGivenName } from '../../lib/given-name.ts';
import type { ErrorDetail } from '../errors.ts';
import { findPlan, type PlanState, planIds } from './plans.ts';

export interface User {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
}

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

const maxNameChars = 200;
const passwordBounds = { min: 8, max: 1024 };

/** Every wrong field at once. */
export function checkNewUser(user: NewUser): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  if (!isEmail(user.email)) {
    details.push({ field: 'email', message: 'This is not an e-mail address.' });
  }
  details.push(...checkPassword(user.password));
  if (user.name !== undefined) details.push(...checkName(user.name));
  if (user.plan !== undefined && findPlan(user.plan) === undefined) {
    details.push({ field: 'plan', message: `There are these plans: ${planIds.join(', ')}.` });
  }
  return details;
}

export function checkPassword(password: string): ErrorDetail[] {
  const { min, max } = passwordBounds;
  if (password.length >= min && password.length <= max) return [];
  return [{ field: 'password', message: `A password has ${min} to ${max} characters.` }];
}

export function checkName(name: string): ErrorDetail[] {
  if (!isGivenName(name, maxNameChars)) {
    const message = `A name has 1 to ${maxNameChars} characters, on one line and to be seen.`;
    return [{ field: 'name', message }];
  }
  if (!holdsWebAddress(name)) return [];
  return [{ field: 'name', message: 'A name holds no web address.' }];
}
