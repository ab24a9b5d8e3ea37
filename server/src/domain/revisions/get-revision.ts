import type { Context } from '../context.ts';
import { notFound } from '../errors.ts';
import type { Subject } from './revision.ts';
import { selectRevision } from './revisions.sql.ts';

/**
 * Reads the revision, for verbs that have checked the permission. Call it before reading the rest:
 * a change meanwhile then raises the revision, so that no write overwrites it.
 */
export async function getRevision({ db }: Context, subject: Subject): Promise<number> {
  const revision = await selectRevision(db, subject);
  if (revision === undefined) throw notFound('episodeId' in subject ? 'episode' : 'podcast');
  return revision;
}
