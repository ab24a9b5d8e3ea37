import type { Context } from '../context.ts';
import { DomainError, type ErrorDetail } from '../errors.ts';
import { lastChanges, type Revision, type Subject } from './revision.ts';
import { selectRevisions } from './revisions.sql.ts';

/** Throws `precondition_failed`, with one detail for each field changed since. */
export async function refuseStaleRevision(
  { db }: Context,
  subject: Subject,
  { expected, current }: { readonly expected: number; readonly current: number },
): Promise<never> {
  const revisions = await selectRevisions(db, subject, { after: expected, upTo: current });
  const details = changedFields(revisions);
  // Older changes are not stored, so any field may have changed.
  if (revisions.length < current - expected) {
    details.push({ field: '*', message: 'Earlier changes are unknown.', reason: 'changed' });
  }
  const what = 'episodeId' in subject ? 'episode' : 'podcast';
  throw new DomainError('precondition_failed', `The ${what} has changed. Check it and try again.`, {
    details,
    revision: current,
  });
}

function changedFields(newestFirst: readonly Revision[]): ErrorDetail[] {
  return lastChanges(newestFirst).map(({ field, by, at }) => {
    const message = `${by ?? 'The service'} changed this at ${at.toISOString()}.`;
    return { field, message, reason: 'changed', change: { by, at } };
  });
}
