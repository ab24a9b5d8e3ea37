/**
 * Emails: their templates, a queue that sends each one once, and which of them a user wants. Tables:
 * emails, email_choices.
 */

export { listUnwantedEmails, setUnwantedEmails } from './choose-emails.ts';
export { countEmails, type EmailCounts } from './count-emails.ts';
export type { EmailTemplate, EmailValues } from './email-templates.ts';
export type { EmailValue } from './email-values.ts';
export { findEmails } from './find-emails.ts';
export { type OptionalEmail, optionalEmails } from './optional-emails.ts';
export { type NewEmail, queueEmail } from './queue-email.ts';
export { sendEmailsJob } from './send-emails.job.ts';
export { sendEmails } from './send-emails.ts';
