export const episodeStatuses = [
  'pending_confirmation',
  'draft',
  'scheduled',
  'published',
  'archived',
] as const;
export type EpisodeStatus = (typeof episodeStatuses)[number];

export const episodeTypes = ['full', 'trailer', 'bonus'] as const;
export type EpisodeType = (typeof episodeTypes)[number];

/** What its makers may set of an episode. */
export interface EpisodeFields {
  readonly slug: string;
  readonly title: string;
  readonly subtitle: string | null;
  /** Plain text. */
  readonly description: string;
  /** Sanitised on the way in; its plain text is kept beside it. */
  readonly showNotesHtml: string | null;
  /** 0 to 9999; null: the show has no seasons. */
  readonly season: number | null;
  readonly episodeNumber: number;
  readonly episodeType: EpisodeType;
  readonly explicit: boolean;
  readonly linkUrl: string | null;
  readonly shareTranscriptWithCohosts: boolean;
  readonly publishTranscript: boolean;
}

export interface Episode extends EpisodeFields {
  readonly id: string;
  readonly podcastId: string;
  /** As of the moment of reading: a scheduled episode whose time has come is published. */
  readonly status: EpisodeStatus;
  readonly publishedAt: Date | null;
  readonly scheduledFor: Date | null;
  readonly showNotes: string | null;
  /** The feed's GUID. */
  readonly guid: string;
  readonly mediaName: string;
  readonly artworkId: string | null;
  readonly createdAt: Date;
}

/** Where an import found an episode. Private, all of it: the world sees only the fingerprints. */
export interface EpisodeSource {
  /** What a later run of the import recognises the item by. */
  readonly key: string;
  readonly guid: string | null;
  readonly enclosureUrl: string | null;
  readonly guidSha256: string | null;
  readonly enclosureSha256: string | null;
}

/** Decisions, section 5. */
const transitions: Readonly<Record<EpisodeStatus, readonly EpisodeStatus[]>> = {
  pending_confirmation: ['draft', 'scheduled', 'published', 'archived'],
  draft: ['scheduled', 'published', 'archived'],
  scheduled: ['draft', 'published', 'archived'],
  published: ['draft', 'archived'],
  archived: ['draft'],
};

export function mayBecome(from: EpisodeStatus, to: EpisodeStatus): boolean {
  return transitions[from].includes(to);
}

interface Publication {
  readonly status: EpisodeStatus;
  readonly publishedAt: Date | null;
  readonly scheduledFor: Date | null;
}

/** A scheduled episode whose time has come *is* published, whatever has or has not run. */
export function asOf<T extends Publication>(stored: T, now: Date): T {
  const { status, scheduledFor } = stored;
  if (status !== 'scheduled' || scheduledFor === null || scheduledFor > now) return stored;
  return { ...stored, status: 'published', publishedAt: scheduledFor, scheduledFor: null };
}
