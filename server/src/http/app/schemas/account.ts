import Type from 'typebox';
import { optionalEmails } from '../../../domain/foundation/emails/index.ts';
import { languageIds } from '../../../lib/languages.ts';
import { closed, email, id, named, nullable, password } from './fields.ts';

/** Sign-in, profile, password and terms. */

export const SignIn = closed({ email, password });

const Language = Type.Enum([...languageIds], { type: 'string' });
export const ChangeProfile = closed({
  name: Type.Optional(Type.String()),
  /** Of emails, and of the app in all browsers. */
  language: Type.Optional(Language),
});
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
  user: Type.Object({
    id,
    name: Type.String(),
    email: Type.String(),
    /** Null until the user has one. */
    language: nullable(Language),
  }),
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
