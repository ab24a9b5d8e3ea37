import { parseMoment } from '../../../lib/time.ts';
import type { KeyFields } from '../../access/keys/index.ts';
import { feedGuidOf, maxGuidBytes, sourceKeyOf } from '../../exchange/imports/index.ts';
import { checkApproval } from '../../exchange/sites/index.ts';
import type { NewUser } from '../../foundation/accounts/index.ts';
import type { RedirectTable } from '../../foundation/context.ts';
import type { ErrorDetail } from '../../foundation/errors.ts';
import type { Capability } from '../../foundation/permissions/index.ts';
import { fingerprintEnclosure, fingerprintGuid } from '../../foundation/provenance/index.ts';
import type { EpisodeSource, NewEpisode } from '../../publishing/episodes/index.ts';
import type { NewMember, NewPodcast } from '../../publishing/podcasts/index.ts';
import { readEpisodeFields, readPodcastFields } from '../shows/edits/index.ts';
import type {
  EpisodeEntry,
  KeyEntry,
  MemberEntry,
  PodcastEntry,
  SiteEntry,
  UserEntry,
} from './schema.ts';

/**
 * Converts entries of a seed file for the verbs. Missing fields stay missing and get defaults from
 * the verbs.
 */

export interface Loading {
  /** The time of loading, which relative times refer to. */
  readonly now: Date;
  readonly redirects: RedirectTable;
}

export function readUser(entry: UserEntry): NewUser {
  return {
    email: entry.email,
    password: entry.password,
    name: entry.name,
    plan: entry.plan,
    planState: entry.plan_state,
    acceptsTerms: entry.accepts_terms,
  };
}

/** A podcast must exist before it can be paused or suspended. */
export function readPodcastEntry(
  entry: PodcastEntry,
  { now }: Pick<Loading, 'now'>,
): Omit<NewPodcast, 'owner'> {
  return {
    ...readPodcastFields(entry),
    slug: entry.slug,
    title: entry.title,
    previousSlugs: entry.previous_slugs,
    guid: entry.guid ?? undefined,
    status: isLaterStatus(entry.status) ? 'active' : entry.status,
    createdAt: readMoment(entry.created_at, now),
  };
}

function isLaterStatus(status: PodcastEntry['status']): boolean {
  return status === 'paused' || status === 'overage_suspended';
}

export function readMember(entry: MemberEntry): Omit<NewMember, 'podcastId' | 'userId'> {
  return {
    role: entry.role,
    roleName: entry.role_name,
    // The verb refuses unknown names.
    capabilities: entry.capabilities as readonly Capability[] | undefined,
  };
}

export function readEpisodeEntry(
  entry: EpisodeEntry,
  { now, redirects }: Loading,
): Omit<NewEpisode, 'podcastId'> {
  const guid = entry.source?.guid?.trim();
  return {
    ...readEpisodeFields({ ...entry, episode: entry.episode ?? undefined }),
    slug: entry.slug,
    title: entry.title,
    status: entry.status,
    publishedAt: readMoment(entry.published_at, now),
    scheduledFor: readMoment(entry.scheduled_for, now),
    createdAt: readMoment(entry.created_at, now),
    // FEED-4: the imported GUID is the feed's, unless it carries a credential.
    guid:
      entry.source == null
        ? undefined
        : feedGuidOf(guid || undefined, entry.source.enclosure_url || undefined),
    source: readSource(entry.source, redirects),
  };
}

/** The key without its podcasts, which the file names by their refs. */
export function readKey(entry: KeyEntry): Omit<KeyFields, 'podcasts'> {
  return {
    name: entry.name ?? entry.ref,
    scopes: entry.scopes,
    expiresInDays: entry.expires_in_days ?? 90,
  };
}

/** What an export may have of an imported episode (BACKUP-13); an import has less. */
const mostEnclosureChars = 100_000;

export function checkSource({ source }: EpisodeEntry): ErrorDetail[] {
  const { guid, enclosure_url: enclosureUrl } = source ?? {};
  const details: ErrorDetail[] = [];
  if (Buffer.byteLength(guid ?? '') > maxGuidBytes) {
    details.push({ field: 'source.guid', message: `A GUID has at most ${maxGuidBytes} bytes.` });
  }
  if ((enclosureUrl ?? '').length > mostEnclosureChars) {
    const message = `This has at most ${mostEnclosureChars} characters.`;
    details.push({ field: 'source.enclosure_url', message });
  }
  return details;
}

function readSource(
  source: EpisodeEntry['source'],
  redirects: RedirectTable,
): EpisodeSource | undefined {
  if (source == null) return undefined;
  // An empty one is none.
  const guid = source.guid || null;
  const enclosureUrl = source.enclosure_url || null;
  // Without either, a later import could not recognize the episode.
  if (!guid?.trim() && enclosureUrl === null) return undefined;
  return {
    key: sourceKeyOf({
      guid: guid?.trim() || undefined,
      enclosure: enclosureUrl === null ? undefined : { url: enclosureUrl },
    }),
    guid,
    enclosureUrl,
    guidSha256: fingerprintGuid(guid),
    enclosureSha256: fingerprintEnclosure(enclosureUrl, redirects),
  };
}

function readMoment(text: string | null | undefined, now: Date): Date | undefined {
  return text == null ? undefined : parseMoment(text, now);
}

interface FoundEpisode<E> {
  /** The podcast's ref. */
  readonly podcast: string;
  readonly episode: E;
}

/** Finds `podcast/episode`, or the bare ref where only one podcast has such an episode. */
export function createEpisodeFinder<E extends { readonly ref: string }>(
  podcasts: readonly { readonly ref: string; readonly episodes: readonly E[] }[],
): (ref: string) => FoundEpisode<E> | 'none' | 'several' {
  const found = new Map<string, FoundEpisode<E> | 'several'>();
  for (const { ref: podcast, episodes } of podcasts) {
    for (const episode of episodes) {
      found.set(`${podcast}/${episode.ref}`, { podcast, episode });
      found.set(episode.ref, found.has(episode.ref) ? 'several' : { podcast, episode });
    }
  }
  return (ref) => found.get(ref) ?? 'none';
}

/** The fields of an approved connection that an unregistered key must not have. */
const fieldsOfCode = ['site_url', 'rest_root', 'code_challenge'] as const;

/** The fields of its flow, and the addresses of an approval. */
export function checkSite(entry: SiteEntry): ErrorDetail[] {
  if (entry.flow === 'key') {
    const surplus = fieldsOfCode.filter((field) => entry[field] !== undefined);
    return surplus.map((field) => ({
      field,
      message: 'This is only allowed with the flow "code".',
    }));
  }
  const missing = fieldsOfCode.filter((field) => entry[field] === undefined);
  const wrong = checkApproval(readAddresses(entry)).filter(
    ({ field }) => !missing.some((name) => name === field),
  );
  return [...missing.map((field) => ({ field, message: 'This is required.' })), ...wrong];
}

export function readAddresses({ site_url: siteUrl, rest_root: restRoot, ...entry }: SiteEntry) {
  return { siteUrl, restRoot, codeChallenge: entry.code_challenge ?? '' };
}
