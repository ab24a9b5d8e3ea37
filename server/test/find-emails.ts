import type { App } from '../src/app.ts';
import type { EmailTemplate } from '../src/domain/foundation/emails/index.ts';

export interface QueuedEmail {
  readonly template: EmailTemplate;
  /** As in the row: moments are ISO 8601. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** The queued emails to this address, oldest first. */
export async function findEmails(app: Pick<App, 'database'>, to: string): Promise<QueuedEmail[]> {
  const { rows } = await app.database.pool.query(
    'select template, content as values from emails where recipient = $1 order by created_at, id',
    [to],
  );
  return rows;
}

/** The token in the link of the last email to this address, from a value of its template. */
export async function findEmailToken(
  app: Pick<App, 'database'>,
  to: string,
  value = 'link',
): Promise<string> {
  const emails = await findEmails(app, to);
  const link = emails.at(-1)?.values[value];
  const token = typeof link === 'string' ? new URL(link).searchParams.get('token') : null;
  if (token === null) throw new Error(`no email with a token to ${to}`);
  return token;
}
