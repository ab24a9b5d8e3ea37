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

const emailForm = /^[^\s@"<>()[\]\\,;:\p{C}]+@[^\s@"<>()[\]\\,;:\p{C}]+$/u;

export function isEmail(text: string): boolean {
  return text.length <= 254 && emailForm.test(text);
}

const passwordBounds = { min: 8, max: 1024 };

/** Every wrong field at once. */
export function checkNewUser(user: NewUser): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  if (!isEmail(user.email)) {
    details.push({ field: 'email', message: 'This is not an e-mail address.' });
  }
  const { min, max } = passwordBounds;
  if (user.password.length < min || user.password.length > max) {
    details.push({ field: 'password', message: `A password has ${min} to ${max} characters.` });
  }
  if (user.name !== undefined && (user.name.trim() === '' || user.name.length > 200)) {
    details.push({ field: 'name', message: 'A name has 1 to 200 characters.' });
  }
  if (user.plan !== undefined && findPlan(user.plan) === undefined) {
    details.push({ field: 'plan', message: `There are these plans: ${planIds.join(', ')}.` });
  }
  return details;
}
