/**
 * Users, the accounts they own, the plans those are on; proof of who one is, and how often one may
 * try. Tables: accounts, users, attempts.
 */

export { deleteEndedAttempts } from './attempts.sql.ts';
export {
  type Attempt,
  type AttemptLimit,
  giveAttemptBack,
  tagOf,
  takeAttempt,
} from './attempts.ts';
export { acceptTerms, changeName, setEmail, setPassword } from './change-user.ts';
export { createUser, type PreparedUser, prepareUser, storeUser } from './create-user.ts';
export {
  findCredentials,
  findUser,
  findUserByEmail,
  findUserOfAccount,
  getUser,
  getUserByEmail,
} from './find-user.ts';
export { type Account, getAccount } from './get-account.ts';
export { holdUser } from './hold-user.ts';
export { hashPassword, nobodysPasswordHash, verifyPassword } from './passwords.ts';
export {
  accountRequestsPerMinute,
  getPlan,
  type Plan,
  type PlanState,
  planIds,
  plansWithApi,
} from './plans.ts';
export { holdProof, type PasswordProof, proveCurrentPassword } from './prove-password.ts';
export { setPlan } from './set-plan.ts';
export { checkNewUser, checkPassword, type NewUser, type User } from './user.ts';
