import { carriesCredential } from '../../lib/credential.ts';
import { parseMoment } from '../../lib/time.ts';
import type { NewUser } from '../accounts/index.ts';
import type { EpisodeSource, NewEpisode } from '../episodes/index.ts';
import { sourceKeyOf } from '../imports/index.ts';
import {
  fingerprintEnclosure,
  fingerprintGuid,
  type RedirectTable,
} from '../imports/provenance/index.ts';
import type { KeyFields } from '../keys/index.ts';
import type { NewPerson } from '../people/index.ts';
import type { Capability, NewMember, NewPodcast } from '../podcasts/index.ts';
import type {
  EpisodeEntry,
  KeyEntry,
  MemberEntry,
  PersonEntry,
  PodcastEntry,
  UserEntry,
} from './schema.ts';

/** From a world file's names to what the verbs take. What is left out stays out: theirs to fill. */

export interface Loading {
  /** The moment of it, which relative times are reckoned from. */
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

/** To be paused or suspended a podcast must be there first: those are no states to begin in. */
export function readPodcast(
  entry: PodcastEntry,
  { now }: Pick<Loading, 'now'>,
): Omit<NewPodcast, 'owner'> {
  return {
    ...given({
      subtitle: entry.subtitle,
      author: entry.author,
      description: entry.description,
      language: entry.language,
      category: entry.category,
      subcategory: entry.subcategory,
      explicit: entry.explicit,
      websiteUrl: entry.website_url,
      brandColor: entry.brand_color,
      playerColor: entry.player_color,
      playerTheme: entry.player_theme,
      playerWaveform: entry.player_waveform,
      timezone: entry.timezone,
      teamKeys: entry.team_keys,
      newFeedUrl: entry.new_feed_url,
    }),
    slug: entry.slug,
    title: entry.title,
    previousSlugs: entry.previous_slugs,
    guid: entry.guid ?? undefined,
    status: isLaterStatus(entry.status) ? 'active' : entry.status,
    hostingType: entry.hosting_type,
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
    // Names that are none of them are refused by the verb.
    capabilities: entry.capabilities as readonly Capability[] | undefined,
  };
}

export function readPerson(entry: PersonEntry): Omit<NewPerson, 'podcastId'> {
  return {
    ...given({
      role: entry.role,
      group: entry.group,
      bio: entry.bio,
      linkUrl: entry.link_url,
      roster: entry.roster,
    }),
    name: entry.name,
  };
}

export function readEpisode(
  entry: EpisodeEntry,
  { now, redirects }: Loading,
): Omit<NewEpisode, 'podcastId'> {
  const guid = entry.source?.guid?.trim();
  return {
    ...given({
      subtitle: entry.subtitle,
      description: entry.description,
      showNotesHtml: entry.show_notes_html,
      season: entry.season,
      episodeNumber: entry.episode ?? undefined,
      episodeType: entry.type,
      explicit: entry.explicit,
      shareTranscriptWithCohosts: entry.share_transcript_with_cohosts,
      publishTranscript: entry.publish_transcript,
    }),
    slug: entry.slug,
    title: entry.title,
    status: entry.status,
    publishedAt: readMoment(entry.published_at, now),
    scheduledFor: readMoment(entry.scheduled_for, now),
    createdAt: readMoment(entry.created_at, now),
    // Decisions, section 3: the imported GUID is the feed's, unless it carries a credential.
    guid: !guid || carriesCredential(guid) ? undefined : guid,
    source: readSource(entry.source, redirects),
  };
}

/** Of which podcasts it is, is said in refs. */
export function readKey(entry: KeyEntry): Omit<KeyFields, 'podcasts'> {
  return {
    name: entry.name ?? entry.ref,
    scopes: entry.scopes,
    expiresInDays: entry.expires_in_days ?? 90,
  };
}

function readSource(
  source: EpisodeEntry['source'],
  redirects: RedirectTable,
): EpisodeSource | undefined {
  if (source == null) return undefined;
  const guid = source.guid ?? null;
  const enclosureUrl = source.enclosure_url ?? null;
  // Neither is no place that a later import could recognise.
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

type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

function given<T extends object>(fields: T): Given<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Given<T>;
}
