import type pg from 'pg';
import type { SiteEpisode } from '../../src/domain/exchange/sites/index.ts';

/** The episodes that a site should have, computed from plain rows, one by one. */
export interface Truth {
  /** By episode. */
  readonly shown: ReadonlyMap<string, SiteEpisode>;
  /** Shows whose episodes stay as they are. */
  readonly waiting: ReadonlySet<string>;
  /** All existing episodes, and whether the site's user may see each. */
  readonly existing: ReadonlyMap<string, { readonly isReadable: boolean }>;
}

// biome-ignore lint/suspicious/noExplicitAny: rows of any table
type Row = Record<string, any>;
type Tables = Readonly<Record<(typeof tables)[number], readonly Row[]>>;

const tables = [
  'sites',
  'api_key_podcasts',
  'podcasts',
  'accounts',
  'podcast_members',
  'episodes',
  'people',
  'episode_credits',
  'images',
  'audio_files',
  'transcripts',
] as const;
const plansWithApi = ['creator', 'studio', 'production_house', 'enterprise'];

/** Reads whole tables. Nothing may write in the meantime. */
export async function readTruth(pool: pg.Pool, siteId: string, now: Date): Promise<Truth> {
  const read = tables.map(async (table) => [
    table,
    (await pool.query(`select * from ${table}`)).rows,
  ]);
  const of = Object.fromEntries(await Promise.all(read)) as Tables;
  const shown = new Map<string, SiteEpisode>();
  const waiting = new Set<string>();
  const existing = new Map<string, { readonly isReadable: boolean }>();
  const site = find(of.sites, { id: siteId });
  for (const podcast of of.podcasts) {
    const key = { key_id: site?.['key_id'], podcast_id: podcast['id'] };
    const isNamed = find(of.api_key_podcasts, { ...key, blocked_at: null }) !== undefined;
    const user = { podcast_id: podcast['id'], user_id: site?.['user_id'] };
    const member = isNamed ? find(of.podcast_members, user) : undefined;
    const isWaiting = member !== undefined && waits(of, podcast, member);
    if (isWaiting) waiting.add(podcast['id']);
    for (const episode of of.episodes.filter((row) => row['podcast_id'] === podcast['id'])) {
      const isReadable = member !== undefined && sees(of, member, episode);
      existing.set(episode['id'], { isReadable });
      if (!isReadable || isWaiting || !isPublic(episode, now)) continue;
      shown.set(episode['id'], present(of, podcast, episode, site?.['transcripts'] === true));
    }
  }
  return { shown, waiting, existing };
}

function find(rows: readonly Row[], wanted: Row): Row | undefined {
  return rows.find((row) => Object.entries(wanted).every(([name, value]) => row[name] === value));
}

function waits(of: Tables, podcast: Row, member: Row): boolean {
  const account = find(of.accounts, { id: podcast['account_id'] });
  const hasApi = account?.['plan_state'] === 'active' && plansWithApi.includes(account['plan']);
  const mayUseKeys = podcast['team_keys'] || ['owner', 'admin'].includes(member['role']);
  return !hasApi || !mayUseKeys || !['active', 'moved'].includes(podcast['status']);
}

/** Does not support custom roles, which the tests do not use. */
function sees(of: Tables, member: Row, episode: Row): boolean {
  if (member['role'] !== 'cohost') return true;
  return creditsOf(of, episode).some(({ person }) => person['user_id'] === member['user_id']);
}

function isPublic(episode: Row, now: Date): boolean {
  if (episode['status'] === 'published') return episode['published_at'] <= now;
  return episode['status'] === 'scheduled' && episode['scheduled_for'] <= now;
}

function creditsOf(of: Tables, episode: Row): { role: string; person: Row }[] {
  return of.episode_credits
    .filter((credit) => credit['episode_id'] === episode['id'])
    .sort((one, other) => one['position'] - other['position'])
    .map((credit) => ({
      role: credit['role'],
      person: find(of.people, { id: credit['person_id'] }) ?? {},
    }));
}

function rosterOf(of: Tables, podcast: Row): { role: string; person: Row }[] {
  return of.people
    .filter((person) => person['podcast_id'] === podcast['id'] && person['roster'])
    .sort((one, other) => one['position'] - other['position'] || (one['id'] < other['id'] ? -1 : 1))
    .map((person) => ({ role: person['role'], person }));
}

function present(of: Tables, podcast: Row, episode: Row, transcripts: boolean): SiteEpisode {
  const picture = (id: string | null) => {
    const image = find(of.images, { id });
    return image === undefined ? null : { id: image['id'], contentType: image['content_type'] };
  };
  const credits = creditsOf(of, episode);
  const people = credits.length > 0 ? credits : rosterOf(of, podcast);
  const audio = find(of.audio_files, { episode_id: episode['id'] });
  const transcript = find(of.transcripts, { episode_id: episode['id'] });
  const from = episode['status'] === 'published' ? 'published_at' : 'scheduled_for';
  return {
    podcastSlug: podcast['slug'],
    slug: episode['slug'],
    title: episode['title'],
    subtitle: episode['subtitle'],
    description: episode['description'],
    showNotesHtml: episode['show_notes_html'],
    season: episode['season'],
    episodeNumber: episode['episode_number'],
    episodeType: episode['episode_type'],
    explicit: episode['explicit'],
    publishedAt: episode[from].toISOString(),
    audio: audio
      ? {
          fileName: `${episode['media_name']}.${audio['extension']}`,
          contentType: audio['content_type'],
          sizeBytes: audio['size_bytes'],
          durationMs: audio['duration_ms'] && Math.round(audio['duration_ms'] / 1000) * 1000,
        }
      : null,
    artwork: picture(episode['artwork_id'] ?? podcast['artwork_id']),
    people: people.map(({ role, person }) => ({
      name: person['name'],
      role,
      photo: picture(person['photo_id']),
    })),
    transcriptLanguage:
      transcripts && transcript && episode['publish_transcript'] ? transcript['language'] : null,
  };
}
