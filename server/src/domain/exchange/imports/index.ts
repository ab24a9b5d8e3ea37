/**
 * Imports podcast feeds: fetches and parses them (`feed/`), creates or updates the show, and
 * records the origin of each episode (`provenance/`). Tables: imports, feed_proofs.
 */
export type { ImportOptions } from './carry-out-import.ts';
export { continueImportJob, startImportJob } from './continue-import.job.ts';
export type { FeedSource } from './fetch-document.ts';
export { audioIsSecret } from './find-audio-problem.ts';
export { type FeedToImport, importFeed } from './import-feed.ts';
export type { ImportLimits } from './import-limits.ts';
export type { FoundImport, ImportPosition, ListedImport } from './import-list.sql.ts';
export {
  cancelImport,
  getImport,
  type ImportRequest,
  listImports,
  reopenImport,
  requestImport,
} from './import-records.ts';
export type {
  ElementNotKept,
  FieldDifference,
  ImportPhase,
  ImportProgress,
  ImportReport,
  ImportWarning,
  ItemProblem,
  PlannedItem,
  ReportedPodcast,
} from './import-report.ts';
export { confirmFeedCode, type SentCode, sendFeedCode } from './prove-feed.ts';
export { purgeImportsJob } from './purge-imports.job.ts';
export type { ImportRefusal } from './refuse-import.ts';
export { listAbandonedImports, resumeImport } from './resume-import.ts';
export { resumeImportsJob } from './resume-imports.job.ts';
export { feedGuidOf, sourceKeyOf } from './source-key.ts';
export { documentFiles } from './stored-documents.ts';
