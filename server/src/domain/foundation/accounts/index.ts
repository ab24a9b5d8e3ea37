/**
 * Users, their accounts and plans; password verification and attempt limits. Tables: accounts,
 * users, attempts.
 */

export { deleteEndedAttempts, notedTurn, recordTurn, withNextWork } from './accounts.sql.ts';
export {
  type AttemptLimit,
  consumeAttempt,
  consumeNetworkAttempt,
  secondsUntilAttempt,
  tagOf,
  tryAttempt,
} from './attempts.ts';
export {
  acceptTerms,
  changeProfile,
  createUser,
  listUsers,
  type PreparedUser,
  prepareUser,
  setEmail,
  setPassword,
  storeUser,
} from './create-user.ts';
export {
  findCredentials,
  findUser,
  findUserByEmail,
  findUserOfAccount,
  getAccount,
  getOwnAccount,
  getUser,
  getUserByEmail,
  hasUsers,
  lockUser,
} from './find-user.ts';
export {
  type HashingClient,
  hashPassword,
  nobodysPasswordHash,
  verifyPassword,
} from './passwords.ts';
export {
  accountRequestsPerMinute,
  apiPlans,
  getPlan,
  limitedPlans,
  limitedStorage,
  type Plan,
  planIds,
  planNameOf,
  plansWithApi,
} from './plans.ts';
export { lockProvenUser, type PasswordProof, proveCurrentPassword } from './prove-password.ts';
export { setPlan } from './set-plan.ts';
export {
  type Account,
  checkNewUser,
  checkPassword,
  type ListedUser,
  type NewUser,
  type User,
  type UserPosition,
} from './user.ts';
