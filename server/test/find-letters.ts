import type { App } from '../src/app.ts';
import type { LetterTemplate } from '../src/domain/letters/index.ts';

export interface QueuedLetter {
  readonly template: LetterTemplate;
  readonly values: Readonly<Record<string, string>>;
}

/** What waits to be sent to this address, oldest first. */
export async function findLetters(app: Pick<App, 'database'>, to: string): Promise<QueuedLetter[]> {
  const { rows } = await app.database.pool.query(
    'select template, content as values from letters where recipient = $1 order by created_at, id',
    [to],
  );
  return rows;
}

/** The token in the link of the last letter to this address, from a value of its template. */
export async function findLetterToken(
  app: Pick<App, 'database'>,
  to: string,
  value = 'link',
): Promise<string> {
  const letters = await findLetters(app, to);
  const link = letters.at(-1)?.values[value];
  const token = link === undefined ? null : new URL(link).searchParams.get('token');
  if (token === null) throw new Error(`no letter with a token to ${to}`);
  return token;
}
