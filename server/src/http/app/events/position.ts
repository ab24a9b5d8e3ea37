import type { HttpContext } from '../../http-context.ts';

/**
 * A position in the changes of all podcasts, as clients get it: with the app's page, and as the id
 * of events. It names a snapshot of the database.
 */
const scope = { endpoint: 'GET /app/api/events', resource: '', filters: {} };

export function encodePosition({ cursors }: HttpContext, snapshot: string): string {
  return cursors.encode(scope, [snapshot]);
}

/** Undefined if it is not ours, for example because the secret has changed. */
export function decodePosition({ cursors }: HttpContext, position: string): string | undefined {
  return cursors.decode(scope, position)?.[0]?.toString();
}
