/** Emails: their templates, and a queue that sends each one once. Table: emails. */

export { countEmails, type EmailCounts } from './count-emails.ts';
export type { EmailTemplate, EmailValues } from './email-templates.ts';
export { type NewEmail, queueEmail } from './queue-email.ts';
export { sendEmailsJob } from './send-emails.job.ts';
export { sendEmails } from './send-emails.ts';
