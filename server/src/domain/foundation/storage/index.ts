/**
 * The storage of accounts: what their podcasts use, what their plans include, and what follows from
 * that. Tables: podcast_storage and podcast_texts, which triggers keep; texts_to_count, written_files.
 */

export { mergeTextSumsJob } from './merge-text-sums.job.ts';
export { isOfAccount, purgeStorage, queueTextCounts } from './storage.sql.ts';
export {
  limitTexts,
  readFreeStorage,
  readStorage,
  requireStorage,
  requireStorageOfAccount,
  requireStorageOfPodcast,
  requireWritten,
  type Storage,
} from './storage.ts';
export { watchStorageJob } from './watch-storage.job.ts';
