/**
 * Imports podcast feeds. README.md describes the stages, each of which has a folder. Tables: imports,
 * feed_proofs.
 */
export type { ImportOptions } from './carry-out-import.ts';
export { type FeedToImport, importFeed } from './import-feed.ts';
export type { ImportLimits } from './import-limits.ts';
export type { FoundImport, ImportPosition, ListedImport } from './import-list.sql.ts';
export {
  cancelImport,
  getImport,
  type ImportRequest,
  type ImportRights,
  importRightsOf,
  listImports,
  reopenImport,
  requestImport,
} from './import-records.ts';
export { feedGuidOf, maxGuidBytes, sourceKeyOf } from './match/source-key.ts';
export { audioIsSecret } from './plan/plan-item.ts';
export { confirmFeedCode, type SentCode, sendFeedCode } from './proof/prove-feed.ts';
export { purgeImportsJob } from './purge-imports.job.ts';
export type { FeedSource } from './read/fetch-document.ts';
export type { ImportRefusal } from './refuse-import.ts';
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
} from './report/import-report.ts';
export { listAbandonedImports, resumeImport } from './resume-import.ts';
export { continueImportJob, resumeImportsJob, startImportJob } from './resume-imports.job.ts';
export { discardDocuments, documentFiles, findDocuments } from './stored-documents.ts';
