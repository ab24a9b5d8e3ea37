import type { Context } from '../context.ts';
import { DomainError, type ErrorDetail } from '../errors.ts';
import type { Revision, Subject } from './revision.ts';
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
    details.push({ field: '*', message: 'Earlier changes are not known.', reason: 'changed' });
  }
  const what = 'episodeId' in subject ? 'episode' : 'podcast';
  throw new DomainError('precondition_failed', `The ${what} was changed meanwhile.`, {
    details,
    revision: current,
  });
}

/** The last change of each field. */
function changedFields(newestFirst: readonly Revision[]): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>();
  for (const { fields, by, at } of newestFirst) {
    for (const field of fields) {
      if (details.has(field)) continue;
      const message = `${by ?? 'The service'} changed this at ${at.toISOString()}.`;
      details.set(field, { field, message, reason: 'changed', change: { by, at } });
    }
  }
  return [...details.values()];
}
