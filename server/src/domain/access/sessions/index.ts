/**
 * Sessions, and the ways to get one: sign-up, sign-in, links from emails; passwords, and what ends
 * when they change. Tables: sessions, email_links.
 */
export { requestPasswordReset, signUp } from './ask-for-email.ts';
export { changeEmail, confirmEmail } from './change-email.ts';
export { changePassword, resetPassword, setUserPassword } from './change-password.ts';
export { confirmSignUp, type NewAccount, signUpByInvitation } from './confirm-sign-up.ts';
export { findLink } from './email-link.ts';
export {
  createSession,
  endOtherSessions,
  endSession,
  findSession,
  hasLiveSession,
  listSessions,
} from './own-sessions.ts';
export { purgeEndedJob } from './purge-ended.job.ts';
export type { Client, FoundSession, Session, SignedIn } from './session.ts';
export { signIn, signOut } from './sign-in.ts';
