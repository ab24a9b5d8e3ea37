/** Users, the accounts they own, and the plans those are on. Tables: accounts, users. */
export { createUser } from './create-user.ts';
export { findUserByEmail, getUserByEmail } from './find-user.ts';
export { getPlan, type Plan, type PlanState, planIds } from './plans.ts';
export { setPlan } from './set-plan.ts';
export { checkNewUser, isEmail, type NewUser, type User } from './user.ts';
