/**
 * Revisions: they count the changes of podcasts and episodes, and record the changed fields.
 * Tables: revisions, and the column `revision` of podcasts and episodes.
 */
export {
  beginRevisions,
  changedFields,
  getRevision,
  listLastChanges,
  revise,
} from './revise.ts';
export type { Expectation, FieldChange } from './revision.ts';
