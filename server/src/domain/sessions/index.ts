/**
 * Who is signed in, and the ways to become so: sign-up, sign-in, letters' links; passwords and what
 * their change ends. Tables: sessions, letter_links.
 */
export { requestPasswordReset, signUp } from './ask-for-letter.ts';
export { changeEmail, confirmEmail } from './change-email.ts';
export { changePassword, resetPassword } from './change-password.ts';
export { confirmSignUp, type NewAccount } from './confirm-sign-up.ts';
export { createSession } from './create-session.ts';
export { findSession } from './find-session.ts';
export { forgetEndedJob } from './forget-ended.job.ts';
export { findLink } from './letter-link.ts';
export { endOtherSessions, endSession, listSessions } from './own-sessions.ts';
export type { Client, FoundSession, Session, SignedIn } from './session.ts';
export { signIn } from './sign-in.ts';
export { signOut } from './sign-out.ts';
export { signUpByInvitation } from './sign-up-by-invitation.ts';
