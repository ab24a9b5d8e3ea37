import { carriesCredential } from '../../../lib/credential.ts';
import type { episodeFields } from '../../../lib/fields/episode-fields.ts';
import type { FieldValues } from '../../../lib/fields/field.ts';
import type { EpisodeStatus } from '../../foundation/enumerations.ts';
import type { ExtraElement } from '../podcasts/index.ts';

/** The fields of an episode that somebody sets: its members, and an import those that only a feed has. */
export interface EpisodeFields extends FieldValues<typeof episodeFields> {
  /** True if the GUID is the address of a page of the episode. */
  readonly guidIsPermalink: boolean;
  readonly extraElements: readonly ExtraElement[];
}

export interface Episode extends EpisodeFields {
  readonly id: string;
  readonly podcastId: string;
  /** True if somebody gave `episodeNumber`: the feed and pages show no other numbers. */
  readonly numberGiven: boolean;
  /** The status at the moment of reading: a due scheduled episode is published. */
  readonly status: EpisodeStatus;
  readonly publishedAt: Date | null;
  /** The original date, which an imported episode gets when it is published; never shown before. */
  readonly intendedPublishedAt: Date | null;
  readonly scheduledFor: Date | null;
  readonly showNotes: string | null;
  /** The feed's GUID. */
  readonly guid: string;
  readonly mediaName: string;
  readonly artworkId: string | null;
  readonly createdAt: Date;
  /** Counts the changes of what members edit. */
  readonly revision: number;
}

/**
 * Where an import found an episode. All of it is private: the public sees only the fingerprints.
 */
export interface EpisodeSource {
  /** A later run of the import recognizes the item by this key. */
  readonly key: string;
  readonly guid: string | null;
  readonly enclosureUrl: string | null;
  readonly guidSha256: string | null;
  readonly enclosureSha256: string | null;
}

/** The transitions of STATE-5. A scheduled episode may get another time. */
const transitions: Readonly<Record<EpisodeStatus, readonly EpisodeStatus[]>> = {
  pending_confirmation: ['draft', 'scheduled', 'published', 'archived'],
  draft: ['scheduled', 'published', 'archived'],
  scheduled: ['draft', 'scheduled', 'published', 'archived'],
  published: ['draft', 'archived'],
  archived: ['draft'],
};

export const statusesAfter = (status: EpisodeStatus): readonly EpisodeStatus[] =>
  transitions[status];

/** What somebody confirms to publish or schedule an episode. */
export const confirmations = ['without_audio'] as const;
export type Confirmation = (typeof confirmations)[number];

/** An episode without audio is public on its page and in the API, but not in the feed. */
export function confirmationsFor({
  hasAudio,
}: {
  readonly hasAudio: boolean;
}): readonly Confirmation[] {
  return hasAudio ? [] : ['without_audio'];
}

interface Publication {
  readonly status: EpisodeStatus;
  readonly publishedAt: Date | null;
  readonly scheduledFor: Date | null;
}

/**
 * True if the episode is published and its time has passed: the public can have it, unless its show
 * is hidden.
 */
export function isPublished(
  { status, publishedAt }: Pick<Episode, 'status' | 'publishedAt'>,
  now: Date,
): boolean {
  return status === 'published' && publishedAt !== null && publishedAt <= now;
}

/**
 * Applies a due schedule: a scheduled episode whose time has come *is* published, even if no job
 * has run.
 */
export function asOf<T extends Publication>(stored: T, now: Date): T {
  const { status, scheduledFor } = stored;
  if (status !== 'scheduled' || scheduledFor === null || scheduledFor > now) return stored;
  return { ...stored, status: 'published', publishedAt: scheduledFor, scheduledFor: null };
}

export interface PublicAudio {
  /**
   * ASCII, with the audio's extension; never changes. Null if the audio is only at an address that
   * carries a credential.
   */
  readonly fileName: string | null;
  readonly contentType: string;
  readonly sizeBytes: number | null;
  readonly durationMs: number | null;
}

/** A recording as it is stored; `sourceUrl` is null if we hold a copy. */
export interface StoredAudio extends Omit<PublicAudio, 'fileName'> {
  readonly extension: string;
  readonly sourceUrl: string | null;
}

/** Leaves out the file name if our address would redirect to one with a credential. */
export function publicAudio(mediaName: string, audio: StoredAudio): PublicAudio {
  const { extension, sourceUrl, contentType, sizeBytes, durationMs } = audio;
  const isSecret = isBehindCredential({ hasCopy: sourceUrl === null, sourceUrl });
  const fileName = isSecret ? null : `${mediaName}.${extension}`;
  return { fileName, contentType, sizeBytes, durationMs };
}

/**
 * Whether audio is only at an address that carries a credential (PUB-19): nobody is told that
 * address, whoever requests it, so the audio cannot be sent.
 */
export function isBehindCredential(audio: {
  readonly hasCopy: boolean;
  readonly sourceUrl: string | null;
}): boolean {
  return !audio.hasCopy && carriesCredential(audio.sourceUrl ?? '');
}
