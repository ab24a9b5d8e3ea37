import { episodeFields } from '../../lib/fields/episode-fields.ts';
import { podcastFields } from '../../lib/fields/podcast-fields.ts';

/**
 * The words that columns of the database hold: the checks of the tables name the same ones. Each noun's
 * own module says what they mean.
 */

export type PlanState = 'active' | 'lapsed';

export const podcastStatuses = ['draft', 'active', 'paused', 'overage_suspended', 'moved'] as const;
export type PodcastStatus = (typeof podcastStatuses)[number];

/** Who suspended a show: the service for its downloads, or the operator, who alone ends that. */
export type SuspensionCause = 'overage' | 'operator';

export const hostingTypes = podcastFields.hostingType.choices;
export type HostingType = (typeof hostingTypes)[number];

export const playerThemes = podcastFields.playerTheme.choices;
export type PlayerTheme = (typeof playerThemes)[number];

export type PageTheme = (typeof podcastFields.pageTheme.choices)[number];

export const showTypes = podcastFields.showType.choices;
export type ShowType = (typeof showTypes)[number];

export type AiTraining = (typeof podcastFields.aiTraining.choices)[number];

export const roles = ['owner', 'admin', 'editor', 'analyst', 'cohost', 'custom'] as const;
export type Role = (typeof roles)[number];

/** The scopes a person's key may hold: it only reads. */
export const userScopes = [
  'podcasts:read',
  'analytics:read',
  'episodes:read',
  'transcripts:read',
] as const;
/** In the order in which the API lists them. Only a connected site's key holds the last one. */
export const scopes = [...userScopes, 'sites:write'] as const;
export type Scope = (typeof scopes)[number];

export const keyKinds = ['user', 'site'] as const;
export type KeyKind = (typeof keyKinds)[number];

export const episodeStatuses = [
  'pending_confirmation',
  'draft',
  'scheduled',
  'published',
  'archived',
] as const;
export type EpisodeStatus = (typeof episodeStatuses)[number];

export const episodeTypes = episodeFields.episodeType.choices;
export type EpisodeType = (typeof episodeTypes)[number];

/**
 * `waiting`: to be compared. `different`: another recording. `incomparable`: only MP3 can be
 * compared, and only if it can be decoded.
 */
export type ReplacementState = 'waiting' | 'aligned' | 'different' | 'incomparable';

export const directoryStatuses = ['todo', 'submitted', 'listed'] as const;
export type DirectoryStatus = (typeof directoryStatuses)[number];

export const domainStates = ['waiting', 'verified', 'lost'] as const;
export type DomainState = (typeof domainStates)[number];

export type ImportState = 'running' | 'finished' | 'failed' | 'cancelled';

export const uploadPurposes = ['audio', 'image', 'transcript', 'chapters'] as const;
export type UploadPurpose = (typeof uploadPurposes)[number];
