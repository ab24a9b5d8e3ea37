import type { EmailTemplate } from './email-templates.ts';

/**
 * The emails that a user can do without. All others are always sent: links that somebody asked for,
 * invitations, what the plan brings, and what tells somebody of an act that may not be theirs.
 */
export const optionalEmails = [
  'key-expires',
  'site-expires',
  'keys-cut-off',
  'member-removed',
] as const satisfies readonly EmailTemplate[];

export type OptionalEmail = (typeof optionalEmails)[number];

export function isOptional(template: EmailTemplate): template is OptionalEmail {
  return optionalEmails.some((optional) => optional === template);
}
