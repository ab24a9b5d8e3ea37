// Owns counting: requests for audio as evidence, what makes a download, and the sums.
export {
  type AudioRequest,
  type DownloadSource,
  downloadSources,
  type RejectionReason,
  rejectionReasons,
  sourceOf,
} from './audio-request.ts';
export { revisableDays } from './days.ts';
export {
  createDeliveryCounter,
  type DeliveryCounter,
  type JournalMetrics,
} from './delivery/delivery-counter.ts';
export { DownloadCounts } from './delivery/download-counts.ts';
export { requestLineFormat } from './delivery/request-line.ts';
export { secretForDay, secretForLogs } from './download-secrets.ts';
export {
  type EvidenceCounts,
  type ExplainedListener,
  evidenceColumns,
} from './evidence/explain.sql.ts';
export { explainDownloads, type ListenerQuery } from './evidence/explain.ts';
export {
  type Batch,
  type Ingested,
  type IngestOptions,
  ingestObserved,
  ingestRequests,
} from './ingest-requests.ts';
export { followLog, purgeOtherLogs } from './logs/follow-log.ts';
export { type IngestedLog, type IngestProgress, ingestLog } from './logs/ingest-log.ts';
export { logFaults } from './logs/log-sample.ts';
export type { MediaFile, ObservedRequest, OpenResponse } from './observed-request.ts';
export { ensureDayPartitions } from './partitions.sql.ts';
export { purgeEvidence, purgeEvidenceJob } from './purge-evidence.job.ts';
export { recount } from './recount.ts';
export { countedDimensions, type Dimension } from './sums/differences.ts';
export { sumMonths, sumMonthsJob } from './sums/sum-months.job.ts';
export { toAudioRequest } from './to-audio-request.ts';
