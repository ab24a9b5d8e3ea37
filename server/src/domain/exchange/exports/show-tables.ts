/** Whose ids a column contains. A restore replaces ids that exist already. */
export type IdKind = 'podcast' | 'image' | 'episode' | 'person' | 'credit' | 'platform import';

/** What of a table is in the export of a show. */
export interface ShowTable {
  /** The column by which rows belong to the show. */
  readonly by: 'id' | 'podcast_id' | 'episode_id' | 'import_id' | 'podcast_id or episode_id';
  /** Columns with ids. Those of users are not among them: they mean nothing elsewhere. */
  readonly ids: Readonly<Record<string, IdKind>>;
  /** SQL by column: what is written instead of its value. */
  readonly instead?: Readonly<Record<string, string>>;
  /** Columns with addresses of other hosts that nobody is shown. */
  readonly foreign?: readonly string[];
  /** At most so many rows are in memory at once. Default: 2,000. */
  readonly rowsAtOnce?: number;
}

/** Rows of which one may have a megabyte. */
const long = { rowsAtOnce: 20 } as const;
const noUser = { user_id: 'null::uuid' } as const;
const ofPodcast = { by: 'podcast_id', ids: { podcast_id: 'podcast' } } as const;
const ofEpisode = { by: 'episode_id', ids: { episode_id: 'episode' } } as const;
const ofBoth = { by: 'podcast_id', ids: { podcast_id: 'podcast', episode_id: 'episode' } } as const;

/** The tables of an export, each after those that it refers to. */
export const showTables: Readonly<Record<string, ShowTable>> = {
  podcasts: {
    by: 'id',
    ids: { id: 'podcast', artwork_id: 'image', header_image_id: 'image' },
    // A suspension is of the account that the show has left.
    instead: {
      account_id: 'null::uuid',
      status: 'coalesce(status_before_suspension, status)',
      status_before_suspension: 'null::text',
      suspended_for: 'null::text',
      overage_released_at: 'null::timestamptz',
    },
    ...long,
  },
  podcast_slugs: ofPodcast,
  podcast_directories: ofPodcast,
  images: {
    by: 'podcast_id',
    ids: { id: 'image', podcast_id: 'podcast' },
    foreign: ['source_url'],
  },
  people: {
    by: 'podcast_id',
    ids: { id: 'person', podcast_id: 'podcast', photo_id: 'image' },
    instead: noUser,
    rowsAtOnce: 200,
  },

  episodes: {
    by: 'podcast_id',
    ids: { id: 'episode', podcast_id: 'podcast', artwork_id: 'image' },
    foreign: ['source_key', 'source_guid', 'source_enclosure_url'],
    ...long,
  },
  episode_slugs: ofBoth,
  episode_credits: {
    by: 'episode_id',
    ids: { id: 'credit', episode_id: 'episode', person_id: 'person' },
  },
  deleted_episodes: { ...ofBoth, foreign: ['source_key'] },
  revisions: {
    by: 'podcast_id or episode_id',
    ids: { podcast_id: 'podcast', episode_id: 'episode' },
    instead: noUser,
  },
  // A copy gets a key of its own where it is restored.
  audio_files: {
    ...ofEpisode,
    instead: { blob_key: "case when blob_key is not null then '' end" },
    foreign: ['source_url'],
  },
  chapters: { ...ofEpisode, ...long },
  transcripts: ofEpisode,
  transcript_segments: { ...ofEpisode, rowsAtOnce: 500 },
  further_transcripts: ofEpisode,
  further_transcript_segments: { ...ofEpisode, rowsAtOnce: 500 },

  download_request_sums: ofBoth,
  podcast_download_days: ofPodcast,
  podcast_download_months: ofPodcast,
  podcast_download_dimensions: ofPodcast,
  podcast_download_dimension_months: ofPodcast,
  episode_download_days: ofBoth,
  episode_download_months: ofBoth,
  episode_download_totals: ofBoth,
  episode_download_breakdowns: { ...ofBoth, rowsAtOnce: 500 },
  episode_download_dimension_months: ofBoth,
  platform_imports: {
    by: 'podcast_id',
    ids: { id: 'platform import', podcast_id: 'podcast' },
    ...long,
  },
  platform_episodes: {
    by: 'import_id',
    ids: { import_id: 'platform import', episode_id: 'episode' },
    rowsAtOnce: 500,
  },
};

export function ruleOf(table: string): ShowTable {
  const rule = showTables[table];
  if (rule === undefined) throw new RangeError(`no export has the table ${table}`);
  return rule;
}

/** All other tables with rows of shows, and why no export has them. A test compares both lists with the database. */
export const tablesOfNoExport = {
  'of other users or programs': [
    'api_key_podcasts',
    'hub_subscriptions',
    'imports',
    'invitations',
    'ownership_offers',
    'podcast_members',
    'preview_links',
    'site_changes',
    'site_podcasts',
    'site_posts',
    'webhook_deliveries',
    'webhook_episodes',
    'webhook_shows',
    'webhooks',
  ],
  'another installation has to verify it': ['podcast_domains'],
  'made from the others': [
    'podcast_storage',
    'podcast_texts',
    'search_queue',
    'search_texts',
    'texts_to_count',
  ],
  'about what this installation told others': ['feed_notifications', 'feed_states'],
  'found again by the next check': ['prefix_checks'],
  'for a moment': [
    'audio_replacements',
    'change_events',
    'content_changes',
    'hub_requests',
    'podcast_changes',
    'uploads',
  ],
  'evidence of downloads, which only the installation that counted them can use': [
    'download_listeners',
    'download_requests',
  ],
} as const;
