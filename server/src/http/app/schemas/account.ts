import Type from 'typebox';
import { optionalEmails } from '../../../domain/foundation/emails/index.ts';
import { closed, email, id, named, nullable, password } from './fields.ts';

/** Sign-in, profile, password and terms. */

export const SignIn = closed({ email, password });
export const ChangeProfile = closed({ name: Type.String() });
export const ChangeEmail = closed({ email, current_password: password });
export const ChangePassword = closed({ current_password: password, password });
export const AcceptTerms = closed({ version: Type.String() });

const OptionalEmails = Type.Array(Type.Enum([...optionalEmails], { type: 'string' }));
export const EmailChoices = named('EmailChoices', {
  /** The emails that a user may turn off. */
  optional: OptionalEmails,
  unwanted: OptionalEmails,
});
export const ChooseEmails = closed({ unwanted: OptionalEmails });

export const Me = named('Me', {
  user: Type.Object({ id, name: Type.String(), email: Type.String() }),
  account: Type.Object({
    plan: Type.String(),
    plan_name: Type.String(),
    plan_state: Type.String(),
  }),
  terms: Type.Object({
    /** Null if there are no terms. */
    version: nullable(Type.String()),
    url: nullable(Type.String()),
    accepted: Type.Boolean(),
  }),
  session: Type.Object({ id }),
  /** Where the operator finds emails, which are not sent without `SMTP_URL`; null: they are sent. */
  unsent_emails_folder: nullable(Type.String()),
});
