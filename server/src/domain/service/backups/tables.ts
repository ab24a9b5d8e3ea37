/** What of a table is in a backup. */
export interface TableRule {
  /** SQL: only rows for which this holds. */
  readonly where?: string;
  /** SQL by column: what is written instead of its value. */
  readonly instead?: Readonly<Record<string, string>>;
  /** SQL: a query with the same columns, instead of the table itself. */
  readonly from?: string;
  /** At most so many rows are in memory at once. Default: 2,000. */
  readonly rowsAtOnce?: number;
  /** Its partitions are dropped now and then, for which a backup does not let anyone wait. */
  readonly isPartitioned?: true;
  /** A migration has written rows, which a restore replaces. */
  readonly isSeeded?: true;
}

/** Rows of which one may have a megabyte. */
const long = { rowsAtOnce: 20 } as const;

/** What a worker was doing is done again. */
const unclaimed = {
  instead: {
    due_at: 'coalesce(due_at, claimed_until)',
    claim: 'null::uuid',
    claimed_until: 'null::timestamptz',
  },
} as const;

/**
 * The tables of a backup. `download_requests` comes before `download_listeners`: its days are those that
 * get partitions in both.
 */
export const backedUpTables: Readonly<Record<string, TableRule>> = {
  accounts: {},
  users: {},
  email_choices: {},
  // So that nobody is told the same thing twice. Those that wait contain links that let somebody in.
  emails: { where: "state <> 'waiting'" },
  feed_proofs: { where: 'proved_at is not null' },
  overages: {},

  podcasts: long,
  podcast_slugs: {},
  podcast_members: {},
  podcast_directories: {},
  podcast_domains: {},
  podcast_storage: {},
  // Numbers of transactions mean nothing in another database.
  podcast_texts: {
    from: 'select podcast_id, sum(bytes)::bigint as bytes, null::xid8 as made_by from podcast_texts group by podcast_id',
  },
  invitations: {},
  ownership_offers: {},
  images: {},
  people: { rowsAtOnce: 200 },

  episodes: long,
  episode_slugs: {},
  episode_credits: {},
  deleted_episodes: {},
  publication_clocks: { isSeeded: true },
  revisions: {},
  prefix_checks: {},
  audio_files: {},
  audio_replacements: long,
  waveforms: {},
  chapters: long,
  transcripts: {},
  transcript_segments: { rowsAtOnce: 500 },
  further_transcripts: {},
  further_transcript_segments: { rowsAtOnce: 500 },
  preview_links: {},

  api_keys: {},
  api_key_secrets: {},
  api_key_podcasts: {},
  api_key_places: {},

  download_batches: {},
  download_logs: {},
  download_request_sums: {},
  download_requests: { isPartitioned: true },
  // The secrets that hashed them are not in the backup.
  download_listeners: { isPartitioned: true, instead: { log_begun_on: 'null::date' } },
  download_sums: { isSeeded: true },
  episode_download_breakdowns: { rowsAtOnce: 500 },
  episode_download_days: {},
  episode_download_dimension_months: {},
  episode_download_months: {},
  episode_download_totals: {},
  podcast_download_days: {},
  podcast_download_dimension_months: {},
  podcast_download_dimensions: {},
  podcast_download_months: {},
  platform_imports: long,
  platform_episodes: { rowsAtOnce: 500 },

  // Nobody is at work on them there: they continue at once.
  imports: { rowsAtOnce: 5, instead: { holder: 'null::jsonb', lease_until: 'null::timestamptz' } },

  // So that channels aren't told again of what they know, and subscribers stay.
  feed_states: unclaimed,
  feed_notifications: unclaimed,
  hub_subscriptions: unclaimed,

  // Another history makes sites compare all shows and continue beyond the numbers that they have seen.
  sites: { instead: { history: "case when history is not null then 'backup' end" } },
  site_calls: {},
  // Those that a change names, and their parts. The others are about to be deleted.
  site_contents: {
    ...long,
    where: `exists (select from site_changes c where c.content_hash = source.hash)
      or exists (select from site_contents whole
        join site_changes c on c.content_hash = whole.hash
        where whole.people_hash = source.hash or whole.texts_hash = source.hash)`,
  },
  site_changes: {},
  site_ping_clock: { isSeeded: true },
  site_pings: { instead: { claim: 'null::uuid', claimed_until: 'null::timestamptz' } },
  site_podcasts: { instead: { snapshot: 'null::pg_snapshot', as_of: 'null::timestamptz' } },
  site_posts: {},

  // Compared with everything that is restored: changes that waited in the outbox are not in the backup.
  webhook_shows: { instead: { is_stale: 'true' } },
  webhook_episodes: {},
  webhooks: { instead: { claim: 'null::uuid', claimed_until: 'null::timestamptz' } },
  webhook_deliveries: {},
};

/** All other tables, and why they are in no backup. A test compares both lists with the database. */
export const tablesLeftOut = {
  secret: ['download_secrets', 'email_links', 'sessions', 'site_codes'],
  'for a moment': [
    'account_turns',
    'announced_work',
    'attempts',
    'change_consumers',
    'change_events',
    'change_head',
    'comment_threads',
    'content_changes',
    'download_writers',
    'followed_logs',
    'hub_hosts',
    'hub_requests',
    'podcast_changes',
    'podcast_changes_horizon',
    'unreferenced_files',
    'uploads',
    'written_files',
  ],
  'made from others': ['search_queue', 'search_texts', 'texts_to_count'],
  'of the database itself': ['last_backup', 'restores', 'schema_migrations'],
} as const;
