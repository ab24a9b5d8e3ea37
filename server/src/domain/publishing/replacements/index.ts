/**
 * Replaces the audio of a published episode: compares both recordings, and moves the chapters and the
 * transcript along. Table: audio_replacements.
 */

export { type Acceptance, acceptReplacement } from './accept-replacement.ts';
export { alignReplacementsJob, purgeReplacementsJob } from './align-replacements.job.ts';
export type { MatchedPart } from './alignment/align-audio.ts';
export { cancelReplacement } from './cancel-replacement.ts';
export { proposeReplacement } from './propose-replacement.ts';
export { type ReplacementReview, reviewReplacement } from './review-replacement.ts';
