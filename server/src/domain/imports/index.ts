/**
 * Brings in podcast feeds: fetches and reads them (`feed/`), makes or updates the show they tell
 * of, and remembers where each episode came from (`provenance/`). Table: imports.
 */
export type { ImportOptions } from './carry-out-import.ts';
export { continueImportJob } from './continue-import.job.ts';
export { type FeedToImport, importFeed } from './import-feed.ts';
export type { ImportLimits } from './import-limits.ts';
export type {
  FieldDifference,
  ImportPhase,
  ImportProgress,
  ImportReport,
  ImportWarning,
  ItemProblem,
  PlannedItem,
  ReportedPodcast,
} from './import-report.ts';
export type { ImportRefusal } from './refuse-import.ts';
export { listAbandonedImports, resumeImport } from './resume-import.ts';
export { resumeImportsJob } from './resume-imports.job.ts';
export { sourceKeyOf } from './source-key.ts';
export type { FeedSource } from './take-document.ts';
