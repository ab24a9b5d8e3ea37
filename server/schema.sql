-- The tables of a migrated database, each with its constraints, indexes and triggers, and then the functions.
-- `npm run tables` writes this file; server/migrations/ has the same with comments, by module.

create table account_turns (
  account_id uuid not null,
  queue text not null,
  turn bigint not null default nextval('account_turns_turn_seq'::regclass),
  constraint account_turns_pkey PRIMARY KEY (account_id, queue),
  constraint account_turns_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_turns_queue_check CHECK ((queue = ANY (ARRAY['waveforms'::text, 'replacements'::text, 'first-imports'::text, 'later-imports'::text])))
);

create table accounts (
  id uuid not null,
  plan text not null,
  plan_state text not null default 'active'::text,
  told_storage_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_plan_state_check CHECK ((plan_state = ANY (ARRAY['active'::text, 'lapsed'::text])))
);

create table announced_work (
  xid xid8 not null default pg_current_xact_id(),
  job text not null,
  constraint announced_work_pkey PRIMARY KEY (xid, job)
);

create table api_key_places (
  key_id uuid not null,
  country text,
  network text,
  last_seen_at timestamp(0) with time zone not null,
  constraint api_key_places_key UNIQUE NULLS NOT DISTINCT (key_id, country, network),
  constraint api_key_places_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(id) ON DELETE CASCADE
);

create table api_key_podcasts (
  key_id uuid not null,
  podcast_id uuid not null,
  podcast_created_at timestamp(3) with time zone not null,
  blocked_at timestamp(3) with time zone,
  constraint api_key_podcasts_pkey PRIMARY KEY (key_id, podcast_id),
  constraint api_key_podcasts_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(id) ON DELETE CASCADE,
  constraint api_key_podcasts_podcast_id_podcast_created_at_fkey FOREIGN KEY (podcast_id, podcast_created_at) REFERENCES podcasts(id, created_at) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX api_key_podcasts_in_order ON api_key_podcasts USING btree (key_id, podcast_created_at, podcast_id);
CREATE INDEX api_key_podcasts_of_podcast ON api_key_podcasts USING btree (podcast_id);

create table api_key_secrets (
  key_id uuid not null,
  replaced boolean not null default false,
  hash bytea not null,
  last_four text not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  reminded_at timestamp(3) with time zone,
  constraint api_key_secrets_pkey PRIMARY KEY (key_id, replaced),
  constraint api_key_secrets_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(id) ON DELETE CASCADE,
  constraint api_key_secrets_hash_check CHECK ((length(hash) = 32)),
  constraint api_key_secrets_last_four_check CHECK ((length(last_four) = 4))
);
CREATE INDEX api_key_secrets_to_remind ON api_key_secrets USING btree (expires_at) WHERE ((NOT replaced) AND (reminded_at IS NULL));
CREATE UNIQUE INDEX api_key_secrets_found_by ON api_key_secrets USING btree (SUBSTRING(hash FROM 1 FOR 16));

create table api_keys (
  id uuid not null,
  user_id uuid not null,
  kind text not null default 'user'::text,
  for_registration boolean not null default false,
  name text not null,
  scopes text[] not null,
  all_podcasts boolean not null,
  created_at timestamp(3) with time zone not null,
  revoked_at timestamp(3) with time zone,
  last_used_at timestamp(0) with time zone,
  last_used_country text,
  last_used_network text,
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint api_keys_check CHECK (((cardinality(scopes) > 0) AND (scopes <@ ARRAY['podcasts:read'::text, 'analytics:read'::text, 'episodes:read'::text, 'transcripts:read'::text, 'sites:write'::text]) AND ((kind = 'site'::text) OR (NOT ('sites:write'::text = ANY (scopes)))))),
  constraint api_keys_check1 CHECK (((kind = 'site'::text) OR (NOT for_registration))),
  constraint api_keys_kind_check CHECK ((kind = ANY (ARRAY['user'::text, 'site'::text]))),
  constraint api_keys_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);
CREATE INDEX api_keys_of_user ON api_keys USING btree (user_id, created_at DESC, id DESC);

create table attempts (
  bucket bytea not null,
  count integer not null,
  window_ends_at timestamp(3) with time zone not null,
  constraint attempts_pkey PRIMARY KEY (bucket),
  constraint attempts_count_check CHECK ((count >= 0))
);
CREATE INDEX attempts_by_end ON attempts USING btree (window_ends_at);

create table audio_files (
  episode_id uuid not null,
  blob_key text,
  source_url text,
  content_type text not null,
  extension text not null,
  size_bytes bigint,
  duration_ms integer,
  sha256 text,
  bitrate_bps integer,
  leading_tag_bytes bigint not null default 0,
  updated_at timestamp(3) with time zone not null,
  constraint audio_files_pkey PRIMARY KEY (episode_id),
  constraint audio_files_blob_key_key UNIQUE (blob_key),
  constraint audio_files_episode_id_fkey FOREIGN KEY (episode_id) REFERENCES episodes(id) ON DELETE CASCADE,
  constraint audio_files_check CHECK (((blob_key IS NOT NULL) OR (source_url IS NOT NULL))),
  constraint audio_files_check1 CHECK (((blob_key IS NULL) OR ((sha256 IS NOT NULL) AND (size_bytes IS NOT NULL)))),
  constraint audio_files_copy_has_length CHECK (((blob_key IS NULL) OR ((duration_ms IS NOT NULL) AND (bitrate_bps IS NOT NULL)))),
  constraint audio_files_duration_ms_check CHECK ((duration_ms >= 0)),
  constraint audio_files_extension_check CHECK ((extension ~ '^[a-z0-9]{2,5}$'::text))
);
CREATE INDEX audio_files_by_content ON audio_files USING btree (sha256) WHERE (sha256 IS NOT NULL);
CREATE TRIGGER audio_deleted AFTER DELETE ON audio_files FOR EACH ROW WHEN ((old.blob_key IS NOT NULL)) EXECUTE FUNCTION note_unreferenced_audio();
CREATE TRIGGER audio_replaced AFTER UPDATE OF blob_key ON audio_files FOR EACH ROW WHEN (((old.blob_key IS NOT NULL) AND (old.blob_key IS DISTINCT FROM new.blob_key))) EXECUTE FUNCTION note_unreferenced_audio();
CREATE TRIGGER audio_source_stored AFTER INSERT OR DELETE OR UPDATE OF source_url ON audio_files FOR EACH ROW EXECUTE FUNCTION note_source_of_audio();
CREATE TRIGGER audio_stored AFTER INSERT OR DELETE OR UPDATE OF blob_key, size_bytes ON audio_files FOR EACH ROW EXECUTE FUNCTION note_stored_audio();

create table audio_replacements (
  episode_id uuid not null,
  id uuid not null,
  replaces_sha256 text not null,
  blob_key text not null,
  content_type text not null,
  extension text not null,
  size_bytes bigint not null,
  duration_ms integer not null,
  sha256 text not null,
  bitrate_bps integer not null,
  leading_tag_bytes bigint not null,
  state text not null,
  parts jsonb,
  peaks bytea,
  account_id uuid,
  attempts integer not null default 0,
  due_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  constraint audio_replacements_pkey PRIMARY KEY (episode_id),
  constraint audio_replacements_blob_key_key UNIQUE (blob_key),
  constraint audio_replacements_id_key UNIQUE (id),
  constraint audio_replacements_episode_id_fkey FOREIGN KEY (episode_id) REFERENCES episodes(id) ON DELETE CASCADE,
  constraint audio_replacements_check CHECK (((state = 'aligned'::text) = (parts IS NOT NULL))),
  constraint audio_replacements_check1 CHECK (((state = 'waiting'::text) = (due_at IS NOT NULL))),
  constraint audio_replacements_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'aligned'::text, 'different'::text, 'incomparable'::text])))
);
CREATE INDEX audio_replacements_expired ON audio_replacements USING btree (expires_at);
CREATE INDEX audio_replacements_waiting ON audio_replacements USING btree (COALESCE(account_id, '00000000-0000-0000-0000-000000000000'::uuid), due_at) WHERE (due_at IS NOT NULL);
CREATE TRIGGER proposed_audio_deleted AFTER DELETE ON audio_replacements FOR EACH ROW EXECUTE FUNCTION note_unreferenced_audio();
CREATE TRIGGER proposed_audio_stored AFTER INSERT OR DELETE ON audio_replacements FOR EACH ROW EXECUTE FUNCTION note_stored_audio();

create table change_consumers (
  name text not null,
  seq bigint not null,
  constraint change_consumers_pkey PRIMARY KEY (name)
);

create table change_events (
  id bigint not null generated always as identity,
  seq bigint,
  kind text not null,
  podcast_id uuid,
  episode_id uuid,
  user_id uuid,
  previous_user_id uuid,
  account_id uuid,
  actor_user_id uuid,
  created_at timestamp(3) with time zone not null,
  constraint change_events_pkey PRIMARY KEY (id),
  constraint change_events_seq_key UNIQUE (seq)
);
CREATE INDEX change_events_unnumbered ON change_events USING btree (id) WHERE (seq IS NULL);

create table change_head (
  is_head boolean not null default true,
  seq bigint not null,
  constraint change_head_pkey PRIMARY KEY (is_head),
  constraint change_head_is_head_check CHECK (is_head)
);

create table chapters (
  episode_id uuid not null,
  chapters jsonb not null,
  updated_at timestamp(3) with time zone not null,
  text_bytes integer not null generated always as (octet_length((chapters)::text)) stored,
  constraint chapters_pkey PRIMARY KEY (episode_id),
  constraint chapters_episode_id_fkey FOREIGN KEY (episode_id) REFERENCES episodes(id) ON DELETE CASCADE
);
CREATE TRIGGER chapters_stored AFTER INSERT OR DELETE OR UPDATE OF text_bytes ON chapters FOR EACH ROW EXECUTE FUNCTION note_texts_of_episode();

create table comment_threads (
  post_url text not null,
  asked_at timestamp(3) with time zone not null,
  read_at timestamp(3) with time zone,
  comments jsonb,
  constraint comment_threads_pkey PRIMARY KEY (post_url),
  constraint comment_threads_check CHECK (((read_at IS NULL) = (comments IS NULL))),
  constraint comment_threads_comments_check CHECK ((jsonb_typeof(comments) = 'array'::text)),
  constraint comment_threads_post_url_check CHECK ((length(post_url) <= 2000))
);
CREATE INDEX comment_threads_by_age ON comment_threads USING btree (asked_at);

create table content_changes (
  podcast_id uuid not null,
  subject_id uuid not null,
  xid xid8 not null default pg_current_xact_id(),
  constraint content_changes_pkey PRIMARY KEY (podcast_id, subject_id)
);
CREATE INDEX content_changes_by_transaction ON content_changes USING btree (podcast_id, xid);

create table deleted_episodes (
  podcast_id uuid not null,
  episode_id uuid not null,
  guid text not null,
  source_key text,
  source_enclosure_sha256 text,
  deleted_at timestamp(3) with time zone not null,
  constraint deleted_episodes_pkey PRIMARY KEY (podcast_id, episode_id),
  constraint deleted_episodes_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE
);
CREATE TRIGGER deleted_episodes_removed AFTER DELETE ON deleted_episodes REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deleted_episodes();
CREATE TRIGGER deleted_episodes_stored AFTER INSERT ON deleted_episodes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_deleted_episodes();

create table download_batches (
  id text not null,
  ingested_at timestamp with time zone not null default now(),
  constraint download_batches_pkey PRIMARY KEY (id)
);
CREATE INDEX download_batches_by_time ON download_batches USING btree (ingested_at);

create table download_listeners (
  day date not null,
  podcast_id uuid not null,
  episode_id uuid not null,
  listener bytea not null,
  address_hash bigint,
  log_begun_on date,
  file bytea not null,
  needed_bytes bigint not null,
  audio int8multirange not null,
  counted boolean not null,
  first_at timestamp with time zone not null,
  source text not null,
  referrer text,
  app text not null,
  device text not null,
  country text not null
) partition by RANGE (day);
CREATE INDEX download_listeners_by_address ON ONLY download_listeners USING hash (uuid_hash_extended(episode_id, address_hash));
CREATE INDEX download_listeners_by_listener ON ONLY download_listeners USING hash (listener);
CREATE INDEX download_listeners_by_site ON ONLY download_listeners USING hash (uuid_hash_extended(episode_id, (address_hash >> 32))) WHERE ((address_hash & (1)::bigint) = 1);

create table download_logs (
  head bytea not null,
  branch integer not null,
  read_bytes bigint not null,
  read_hash bytea not null,
  read_lines bigint not null,
  begun_on date not null,
  read_at timestamp with time zone not null,
  constraint download_logs_pkey PRIMARY KEY (head, branch)
);

create table download_request_sums (
  day date not null,
  podcast_id uuid not null,
  episode_id uuid not null,
  rejected text,
  requests bigint not null,
  constraint download_request_sums_episode_id_day_rejected_key UNIQUE NULLS NOT DISTINCT (episode_id, day, rejected),
  constraint download_request_sums_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint download_request_sums_requests_check CHECK ((requests > 0))
);
CREATE INDEX download_request_sums_by_podcast ON download_request_sums USING btree (podcast_id, day);

create table download_requests (
  day date not null,
  at timestamp with time zone not null,
  podcast_id uuid not null,
  episode_id uuid not null,
  listener bytea not null,
  address_hash bigint,
  user_agent text,
  network bigint,
  country text,
  source text not null,
  referrer text,
  rejected text,
  requests integer not null default 1,
  file bytea not null,
  needed_bytes bigint not null,
  audio int8multirange not null,
  constraint download_requests_requests_check CHECK ((requests > 0)),
  constraint download_requests_source_check CHECK ((source = ANY (ARRAY['feed'::text, 'player'::text, 'listen_page'::text, 'direct'::text])))
) partition by RANGE (day);
CREATE INDEX download_requests_by_episode ON ONLY download_requests USING btree (episode_id, day);

create table download_secrets (
  name text not null,
  secret bytea not null,
  constraint download_secrets_pkey PRIMARY KEY (name),
  constraint download_secrets_secret_check CHECK ((length(secret) = 32))
) partition by LIST (name);

create table download_sums (
  singleton boolean not null default true,
  updated_at timestamp with time zone,
  constraint download_sums_pkey PRIMARY KEY (singleton),
  constraint download_sums_singleton_check CHECK (singleton)
);

create table download_writers (
  id text not null,
  complete_until timestamp with time zone not null,
  constraint download_writers_pkey PRIMARY KEY (id)
);

create table email_choices (
  user_id uuid not null,
  unwanted text[] not null,
  updated_at timestamp(3) with time zone not null,
  constraint email_choices_pkey PRIMARY KEY (user_id),
  constraint email_choices_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table email_links (
  token_hash bytea not null,
  purpose text not null,
  email text not null,
  user_id uuid,
  return_path text,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  constraint email_links_pkey PRIMARY KEY (token_hash),
  constraint email_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint email_links_check CHECK (((purpose = 'change_email'::text) = (user_id IS NOT NULL))),
  constraint email_links_check1 CHECK (((return_path IS NULL) OR ((purpose = 'sign_up'::text) AND (length(return_path) <= 8192)))),
  constraint email_links_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  constraint email_links_purpose_check CHECK ((purpose = ANY (ARRAY['sign_up'::text, 'reset_password'::text, 'change_email'::text]))),
  constraint email_links_token_hash_check CHECK ((length(token_hash) = 32))
);
CREATE INDEX email_links_by_end ON email_links USING btree (expires_at);
CREATE INDEX email_links_of_address ON email_links USING btree (lower(email));
CREATE INDEX email_links_of_user ON email_links USING btree (user_id) WHERE (user_id IS NOT NULL);

create table emails (
  id uuid not null,
  key text,
  template text not null,
  recipient text,
  content jsonb,
  language text not null,
  state text not null default 'waiting'::text,
  attempts integer not null default 0,
  due_at timestamp(3) with time zone not null,
  created_at timestamp(3) with time zone not null,
  ended_at timestamp(3) with time zone,
  constraint emails_pkey PRIMARY KEY (id),
  constraint emails_key_key UNIQUE (key),
  constraint emails_check CHECK (((state = 'waiting'::text) = ((recipient IS NOT NULL) AND (content IS NOT NULL)))),
  constraint emails_check1 CHECK (((state = 'waiting'::text) = (ended_at IS NULL))),
  constraint emails_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text, 'es'::text, 'fr'::text, 'ja'::text, 'ar'::text]))),
  constraint emails_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'given_up'::text])))
);
CREATE INDEX emails_due ON emails USING btree (due_at, id) WHERE (state = 'waiting'::text);
CREATE INDEX emails_ended ON emails USING btree (ended_at) WHERE (state <> 'waiting'::text);

create table episode_credits (
  id uuid not null,
  episode_id uuid not null,
  person_id uuid not null,
  role text not null,
  group text not null,
  position integer not null,
  constraint episode_credits_pkey PRIMARY KEY (id),
  constraint episode_credits_episode_id_person_id_role_key UNIQUE (episode_id, person_id, role),
  constraint episode_credits_episode_id_fkey FOREIGN KEY (episode_id) REFERENCES episodes(id) ON DELETE CASCADE,
  constraint episode_credits_person_id_fkey FOREIGN KEY (person_id) REFERENCES people(id) ON DELETE CASCADE
);
CREATE INDEX episode_credits_in_order ON episode_credits USING btree (episode_id, "position", id);
CREATE INDEX episode_credits_of_person ON episode_credits USING btree (person_id);
CREATE TRIGGER credits_removed AFTER DELETE ON episode_credits REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_credits();
CREATE TRIGGER credits_stored AFTER INSERT ON episode_credits REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_credits();

create table episode_download_breakdowns (
  podcast_id uuid not null,
  episode_id uuid not null,
  day date not null,
  counts jsonb not null,
  constraint episode_download_breakdowns_pkey PRIMARY KEY (episode_id, day),
  constraint episode_download_breakdowns_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE
);
CREATE INDEX episode_download_breakdowns_by_podcast ON episode_download_breakdowns USING btree (podcast_id);

create table episode_download_days (
  podcast_id uuid not null,
  episode_id uuid not null,
  day date not null,
  downloads bigint not null,
  delivered bigint,
  constraint episode_download_days_pkey PRIMARY KEY (episode_id, day),
  constraint episode_download_days_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE
);
CREATE INDEX episode_download_days_by_podcast ON episode_download_days USING btree (podcast_id);

create table episode_download_dimension_months (
  podcast_id uuid not null,
  episode_id uuid not null,
  dimension text not null,
  month date not null,
  value text not null,
  downloads bigint not null,
  constraint episode_download_dimension_months_pkey PRIMARY KEY (episode_id, dimension, month, value) INCLUDE (downloads),
  constraint episode_download_dimension_months_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint episode_download_dimension_months_dimension_check CHECK ((dimension = ANY (ARRAY['apps'::text, 'countries'::text, 'devices'::text, 'sources'::text, 'referrers'::text]))),
  constraint episode_download_dimension_months_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric))
);
CREATE INDEX episode_download_dimension_months_by_podcast ON episode_download_dimension_months USING btree (podcast_id);

create table episode_download_months (
  podcast_id uuid not null,
  episode_id uuid not null,
  month date not null,
  downloads bigint not null,
  has_dimensions boolean not null default false,
  constraint episode_download_months_pkey PRIMARY KEY (episode_id, month),
  constraint episode_download_months_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint episode_download_months_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric))
);
CREATE INDEX episode_download_months_by_podcast ON episode_download_months USING btree (podcast_id);
CREATE INDEX episode_download_months_to_sum ON episode_download_months USING btree (month) WHERE (NOT has_dimensions);

create table episode_download_totals (
  podcast_id uuid not null,
  episode_id uuid not null,
  downloads bigint not null,
  constraint episode_download_totals_pkey PRIMARY KEY (episode_id),
  constraint episode_download_totals_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE
);
CREATE INDEX episode_download_totals_by_podcast ON episode_download_totals USING btree (podcast_id);
CREATE CONSTRAINT TRIGGER first_downloads AFTER INSERT ON episode_download_totals DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.downloads > 0)) EXECUTE FUNCTION mark_episode_with_downloads();
CREATE CONSTRAINT TRIGGER first_or_no_downloads AFTER UPDATE ON episode_download_totals DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.downloads > 0) <> (new.downloads > 0))) EXECUTE FUNCTION mark_episode_with_downloads();

create table episode_slugs (
  podcast_id uuid not null,
  slug text not null,
  episode_id uuid not null,
  created_at timestamp(3) with time zone not null,
  constraint episode_slugs_pkey PRIMARY KEY (podcast_id, slug),
  constraint episode_slugs_episode_id_fkey FOREIGN KEY (episode_id) REFERENCES episodes(id) ON DELETE CASCADE,
  constraint episode_slugs_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint episode_slugs_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(slug) <= 100)))
);
CREATE INDEX episode_slugs_of_episode ON episode_slugs USING btree (episode_id);

create table episodes (
  id uuid not null,
  podcast_id uuid not null,
  slug text not null,
  media_name text not null,
  guid text,
  guid_is_permalink boolean not null default false,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  revision integer not null default 1,
  title text not null,
  itunes_title text,
  subtitle text,
  description text not null,
  show_notes text,
  show_notes_html text,
  season integer,
  season_name text,
  episode_number integer not null,
  number_given boolean not null default false,
  episode_display text,
  episode_type text not null default 'full'::text,
  explicit boolean not null default false,
  link_url text,
  itunes_block boolean not null default false,
  ai_content boolean,
  extra_elements jsonb not null default '[]'::jsonb,
  artwork_id uuid,
  share_transcript_with_cohosts boolean not null default false,
  publish_transcript boolean not null default false,
  status text not null default 'draft'::text,
  status_changed_at timestamp(3) with time zone not null,
  published_at timestamp(3) with time zone,
  intended_published_at timestamp(3) with time zone,
  scheduled_for timestamp(3) with time zone,
  public_from timestamp(3) with time zone generated always as (
CASE status
    WHEN 'published'::text THEN published_at
    WHEN 'scheduled'::text THEN scheduled_for
    ELSE NULL::timestamp with time zone
END) stored,
  public_season integer generated always as (COALESCE(season, 1)) stored,
  listed_at timestamp(3) with time zone generated always as (COALESCE(
CASE status
    WHEN 'scheduled'::text THEN scheduled_for
    ELSE NULL::timestamp with time zone
END, published_at, created_at)) stored,
  title_key text generated always as (lower("left"(title, 200))) stored,
  last_move integer not null default 0,
  has_downloads boolean not null default false,
  source_key text,
  source_guid text,
  source_guid_sha256 text,
  source_enclosure_url text,
  source_enclosure_sha256 text,
  imported jsonb,
  text_bytes integer not null generated always as (((((((1000 + octet_length(title)) + octet_length(description)) + COALESCE(octet_length(subtitle), 0)) + COALESCE(octet_length(show_notes), 0)) + COALESCE(octet_length(show_notes_html), 0)) + octet_length((extra_elements)::text))) stored,
  constraint episodes_pkey PRIMARY KEY (id),
  constraint episodes_artwork_id_fkey FOREIGN KEY (artwork_id) REFERENCES images(id) ON DELETE SET NULL,
  constraint episodes_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint episodes_check CHECK (((status <> 'published'::text) OR (published_at IS NOT NULL))),
  constraint episodes_check1 CHECK (((status = 'scheduled'::text) = (scheduled_for IS NOT NULL))),
  constraint episodes_check2 CHECK (((status <> 'pending_confirmation'::text) OR (published_at IS NULL))),
  constraint episodes_episode_number_check CHECK ((episode_number >= 0)),
  constraint episodes_episode_type_check CHECK ((episode_type = ANY (ARRAY['full'::text, 'trailer'::text, 'bonus'::text]))),
  constraint episodes_media_name_check CHECK ((media_name ~ '^[a-z0-9-]{1,100}$'::text)),
  constraint episodes_season_check CHECK (((season >= 0) AND (season <= 9999))),
  constraint episodes_status_check CHECK ((status = ANY (ARRAY['pending_confirmation'::text, 'draft'::text, 'scheduled'::text, 'published'::text, 'archived'::text]))),
  constraint episodes_title_check CHECK (((length(title) >= 1) AND (length(title) <= 500)))
);
CREATE INDEX episodes_artwork ON episodes USING btree (artwork_id, public_from) WHERE (artwork_id IS NOT NULL);
CREATE INDEX episodes_by_number ON episodes USING btree (podcast_id, status, public_season DESC, episode_number DESC, id DESC);
CREATE INDEX episodes_by_publication ON episodes USING btree (public_from) WHERE (public_from IS NOT NULL);
CREATE INDEX episodes_by_title ON episodes USING btree (podcast_id, status, title_key, id) INCLUDE (listed_at, public_season, episode_number);
CREATE INDEX episodes_listed ON episodes USING btree (podcast_id, listed_at DESC, id DESC);
CREATE INDEX episodes_listed_by_status ON episodes USING btree (podcast_id, status, listed_at DESC, id DESC);
CREATE INDEX episodes_number ON episodes USING btree (podcast_id, episode_number DESC);
CREATE INDEX episodes_public ON episodes USING btree (podcast_id, public_from DESC, id DESC) WHERE (public_from IS NOT NULL);
CREATE INDEX episodes_public_by_season ON episodes USING btree (podcast_id, episode_type, public_season, public_from DESC, id DESC) WHERE (public_from IS NOT NULL);
CREATE INDEX episodes_public_by_type ON episodes USING btree (podcast_id, episode_type, public_from DESC, id DESC) WHERE (public_from IS NOT NULL);
CREATE INDEX episodes_unpublished_with_downloads ON episodes USING btree (podcast_id, status, ((published_at IS NOT NULL)), listed_at DESC, id DESC) WHERE (has_downloads AND (status <> 'published'::text));
CREATE UNIQUE INDEX episodes_guid ON episodes USING btree (podcast_id, guid) WHERE (guid IS NOT NULL);
CREATE UNIQUE INDEX episodes_source_key ON episodes USING btree (podcast_id, source_key) WHERE (source_key IS NOT NULL);
CREATE TRIGGER episode_ends BEFORE DELETE ON episodes FOR EACH ROW EXECUTE FUNCTION note_ending_episode();
CREATE TRIGGER episode_searched AFTER INSERT OR DELETE OR UPDATE OF title, subtitle, description, show_notes ON episodes FOR EACH ROW EXECUTE FUNCTION queue_episode_for_search();
CREATE TRIGGER episode_texts_stored AFTER INSERT OR UPDATE OF text_bytes, guid, source_key, source_guid, source_enclosure_url, itunes_title, season_name, episode_display, link_url, imported ON episodes FOR EACH ROW EXECUTE FUNCTION note_texts_in_podcast();

create table feed_notifications (
  podcast_id uuid not null,
  channel text not null,
  due_at timestamp(3) with time zone,
  sent_at timestamp(3) with time zone,
  digest bytea,
  told_at timestamp(3) with time zone,
  failures integer not null default 0,
  first_failed_at timestamp(3) with time zone,
  last_status integer,
  last_error text,
  claim uuid,
  claimed_until timestamp(3) with time zone,
  constraint feed_notifications_pkey PRIMARY KEY (podcast_id, channel),
  constraint feed_notifications_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint feed_notifications_check CHECK (((claim IS NULL) = (claimed_until IS NULL)))
);
CREATE INDEX feed_notifications_claimed ON feed_notifications USING btree (claimed_until) WHERE (claimed_until IS NOT NULL);
CREATE INDEX feed_notifications_due ON feed_notifications USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (failures = 0));
CREATE INDEX feed_notifications_to_retry ON feed_notifications USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (failures > 0));

create table feed_proofs (
  id uuid not null,
  user_id uuid not null,
  feed_tag bytea not null,
  code_hash bytea,
  tries integer not null default 0,
  expires_at timestamp(3) with time zone not null,
  proved_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  constraint feed_proofs_pkey PRIMARY KEY (id),
  constraint feed_proofs_user_id_feed_tag_key UNIQUE (user_id, feed_tag),
  constraint feed_proofs_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint feed_proofs_check CHECK (((code_hash IS NULL) = (proved_at IS NOT NULL)))
);

create table feed_states (
  podcast_id uuid not null,
  digest bytea,
  changed_at timestamp(3) with time zone,
  due_at timestamp(3) with time zone,
  claim uuid,
  claimed_until timestamp(3) with time zone,
  constraint feed_states_pkey PRIMARY KEY (podcast_id),
  constraint feed_states_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint feed_states_check CHECK (((claim IS NULL) = (claimed_until IS NULL))),
  constraint feed_states_digest_check CHECK ((length(digest) = 32))
);
CREATE INDEX feed_states_claimed ON feed_states USING btree (claimed_until) WHERE (claimed_until IS NOT NULL);
CREATE INDEX feed_states_due ON feed_states USING btree (due_at) WHERE (due_at IS NOT NULL);

create table followed_logs (
  name text not null,
  holder uuid,
  held_until timestamp with time zone not null,
  first_held_at timestamp with time zone,
  modified_at timestamp with time zone,
  constraint followed_logs_pkey PRIMARY KEY (name)
);

create table further_transcript_segments (
  episode_id uuid not null,
  language text not null,
  position integer not null,
  start_ms integer not null,
  end_ms integer not null,
  speaker text not null,
  body text not null,
  constraint further_transcript_segments_pkey PRIMARY KEY (episode_id, language, "position"),
  constraint further_transcript_segments_episode_id_language_fkey FOREIGN KEY (episode_id, language) REFERENCES further_transcripts(episode_id, language) ON DELETE CASCADE
);

create table further_transcripts (
  episode_id uuid not null,
  language text not null,
  has_times boolean not null default true,
  word_count integer not null,
  duration_ms integer not null,
  segment_count integer not null,
  text_bytes integer not null,
  updated_at timestamp(3) with time zone not null,
  constraint further_transcripts_pkey PRIMARY KEY (episode_id, language),
  constraint further_transcripts_episode_id_fkey FOREIGN KEY (episode_id) REFERENCES transcripts(episode_id) ON DELETE CASCADE,
  constraint further_transcripts_language_check CHECK (((language ~ '^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$'::text) AND (length(language) <= 35)))
);
CREATE TRIGGER further_transcript_stored AFTER INSERT OR DELETE OR UPDATE OF text_bytes ON further_transcripts FOR EACH ROW EXECUTE FUNCTION note_texts_of_episode();

create table hub_hosts (
  host text not null,
  next_at timestamp(3) with time zone not null,
  constraint hub_hosts_pkey PRIMARY KEY (host)
);
CREATE INDEX hub_hosts_passed ON hub_hosts USING btree (next_at);

create table hub_requests (
  podcast_id uuid not null,
  callback_hash bytea not null,
  callback text not null,
  host text not null,
  mode text not null,
  topic text not null,
  secret text,
  lease_seconds integer not null,
  due_at timestamp(3) with time zone,
  asked_at timestamp(3) with time zone,
  claim uuid,
  claimed_until timestamp(3) with time zone,
  constraint hub_requests_pkey PRIMARY KEY (podcast_id, callback_hash),
  constraint hub_requests_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint hub_requests_callback_hash_check CHECK ((length(callback_hash) = 32)),
  constraint hub_requests_check CHECK (((claim IS NULL) = (claimed_until IS NULL))),
  constraint hub_requests_mode_check CHECK ((mode = ANY (ARRAY['subscribe'::text, 'unsubscribe'::text]))),
  constraint hub_requests_secret_check CHECK ((octet_length(secret) < 200))
);
CREATE INDEX hub_requests_asked ON hub_requests USING btree (asked_at) WHERE (due_at IS NULL);
CREATE INDEX hub_requests_claimed ON hub_requests USING btree (claimed_until) WHERE (claimed_until IS NOT NULL);
CREATE INDEX hub_requests_due ON hub_requests USING btree (due_at) WHERE (due_at IS NOT NULL);

create table hub_subscriptions (
  podcast_id uuid not null,
  callback_hash bytea not null,
  callback text not null,
  host text not null,
  secret text,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  due_at timestamp(3) with time zone,
  sent_at timestamp(3) with time zone,
  digest bytea,
  told_at timestamp(3) with time zone,
  failures integer not null default 0,
  first_failed_at timestamp(3) with time zone,
  last_status integer,
  last_error text,
  claim uuid,
  claimed_until timestamp(3) with time zone,
  constraint hub_subscriptions_pkey PRIMARY KEY (podcast_id, callback_hash),
  constraint hub_subscriptions_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint hub_subscriptions_callback_hash_check CHECK ((length(callback_hash) = 32)),
  constraint hub_subscriptions_check CHECK (((claim IS NULL) = (claimed_until IS NULL))),
  constraint hub_subscriptions_secret_check CHECK ((octet_length(secret) < 200))
);
CREATE INDEX hub_subscriptions_claimed ON hub_subscriptions USING btree (claimed_until) WHERE (claimed_until IS NOT NULL);
CREATE INDEX hub_subscriptions_due ON hub_subscriptions USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (failures = 0));
CREATE INDEX hub_subscriptions_expired ON hub_subscriptions USING btree (expires_at);
CREATE INDEX hub_subscriptions_of_host ON hub_subscriptions USING btree (host, expires_at);
CREATE INDEX hub_subscriptions_to_retry ON hub_subscriptions USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (failures > 0));

create table images (
  id uuid not null,
  podcast_id uuid not null,
  content_type text not null,
  width integer not null,
  height integer not null,
  size_bytes bigint not null,
  sha256 text not null,
  color text,
  source_url text,
  created_at timestamp(3) with time zone not null,
  constraint images_pkey PRIMARY KEY (id),
  constraint images_podcast_id_sha256_key UNIQUE (podcast_id, sha256),
  constraint images_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint images_color_check CHECK ((color ~ '^#[0-9a-f]{6}$'::text)),
  constraint images_content_type_check CHECK ((content_type = ANY (ARRAY['image/jpeg'::text, 'image/png'::text]))),
  constraint images_height_check CHECK ((height > 0)),
  constraint images_width_check CHECK ((width > 0))
);
CREATE INDEX images_by_source ON images USING btree (podcast_id, source_url) WHERE (source_url IS NOT NULL);
CREATE TRIGGER image_deleted AFTER DELETE ON images FOR EACH ROW EXECUTE FUNCTION note_unreferenced_image();
CREATE TRIGGER image_source_stored AFTER INSERT OR DELETE OR UPDATE OF source_url ON images FOR EACH ROW EXECUTE FUNCTION note_texts_in_podcast();
CREATE TRIGGER image_stored AFTER INSERT OR DELETE OR UPDATE OF size_bytes ON images FOR EACH ROW EXECUTE FUNCTION note_stored_image();

create table imports (
  id uuid not null,
  owner_id uuid not null,
  podcast_id uuid,
  source_url text,
  wanted_slug text,
  into_slug text,
  creates_podcast boolean not null,
  copy_audio boolean not null,
  dry_run boolean not null default false,
  overwrite boolean not null default false,
  ignore_lock boolean not null default false,
  documents jsonb not null,
  state text not null default 'running'::text,
  holder jsonb,
  lease_until timestamp(3) with time zone,
  attempts integer not null default 0,
  reached_phase smallint not null default 0,
  reached_left integer not null default 2147483647,
  deaths integer not null default 0,
  progress jsonb not null,
  warnings jsonb not null default '[]'::jsonb,
  report jsonb,
  error text,
  error_reason text,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  constraint imports_pkey PRIMARY KEY (id),
  constraint imports_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint imports_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint imports_check CHECK (((holder IS NULL) = (lease_until IS NULL))),
  constraint imports_state_check CHECK ((state = ANY (ARRAY['running'::text, 'finished'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX imports_of_owner ON imports USING btree (owner_id, source_url, created_at DESC, id DESC);
CREATE INDEX imports_of_owner_by_age ON imports USING btree (owner_id, created_at DESC, id DESC);
CREATE INDEX imports_of_podcast ON imports USING btree (podcast_id, created_at DESC, id DESC);
CREATE INDEX imports_running ON imports USING btree (created_at, id) WHERE (state = 'running'::text);
CREATE UNIQUE INDEX imports_one_running ON imports USING btree (podcast_id) WHERE (state = 'running'::text);

create table invitations (
  id uuid not null,
  podcast_id uuid not null,
  email text not null,
  role text not null,
  role_name text,
  capabilities text[],
  token_hash bytea not null,
  invited_by uuid not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_token_hash_key UNIQUE (token_hash),
  constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id) ON DELETE CASCADE,
  constraint invitations_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint invitations_check CHECK (((role = 'custom'::text) = (role_name IS NOT NULL))),
  constraint invitations_check1 CHECK (((role = 'custom'::text) = (capabilities IS NOT NULL))),
  constraint invitations_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'editor'::text, 'analyst'::text, 'cohost'::text, 'custom'::text]))),
  constraint invitations_token_hash_check CHECK ((length(token_hash) = 32))
);
CREATE INDEX invitations_by_end ON invitations USING btree (expires_at);
CREATE UNIQUE INDEX invitations_of_podcast ON invitations USING btree (podcast_id, lower(email));

create table last_backup (
  singleton boolean not null default true,
  snapshot text not null,
  created_at timestamp(3) with time zone not null,
  daily_place text,
  constraint last_backup_pkey PRIMARY KEY (singleton),
  constraint last_backup_singleton_check CHECK (singleton)
);

create table overages (
  account_id uuid not null,
  month date not null,
  told_near_at timestamp(3) with time zone,
  exceeded_at timestamp(3) with time zone,
  suspended_at timestamp(3) with time zone,
  warned_at timestamp with time zone,
  constraint overages_pkey PRIMARY KEY (account_id, month),
  constraint overages_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint overages_check CHECK (((suspended_at IS NULL) OR (exceeded_at IS NOT NULL)))
);

create table ownership_offers (
  podcast_id uuid not null,
  email text not null,
  token_hash bytea not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  constraint ownership_offers_pkey PRIMARY KEY (podcast_id),
  constraint ownership_offers_token_hash_key UNIQUE (token_hash),
  constraint ownership_offers_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint ownership_offers_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  constraint ownership_offers_token_hash_check CHECK ((length(token_hash) = 32))
);
CREATE INDEX ownership_offers_by_end ON ownership_offers USING btree (expires_at);

create table people (
  id uuid not null,
  podcast_id uuid not null,
  user_id uuid,
  name text not null,
  role text not null default 'host'::text,
  group text not null default 'cast'::text,
  bio text,
  link_url text,
  photo_id uuid,
  roster boolean not null default true,
  position integer not null,
  created_at timestamp(3) with time zone not null,
  text_bytes integer not null generated always as ((((500 + octet_length(name)) + COALESCE(octet_length(bio), 0)) + COALESCE(octet_length(link_url), 0))) stored,
  constraint people_pkey PRIMARY KEY (id),
  constraint people_photo_id_fkey FOREIGN KEY (photo_id) REFERENCES images(id) ON DELETE SET NULL,
  constraint people_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint people_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint people_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);
CREATE INDEX people_by_name ON people USING btree (podcast_id, lower(name), "position");
CREATE INDEX people_of_podcast ON people USING btree (podcast_id, "position", id);
CREATE INDEX people_photo ON people USING btree (photo_id) WHERE (photo_id IS NOT NULL);
CREATE INDEX people_user ON people USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE TRIGGER people_texts_stored AFTER INSERT OR DELETE OR UPDATE OF text_bytes ON people FOR EACH ROW EXECUTE FUNCTION note_texts_in_podcast();

create table platform_episodes (
  import_id uuid not null,
  position integer not null,
  episode_id uuid,
  title text not null,
  metrics jsonb not null,
  constraint platform_episodes_pkey PRIMARY KEY (import_id, "position"),
  constraint platform_episodes_import_id_fkey FOREIGN KEY (import_id) REFERENCES platform_imports(id) ON DELETE CASCADE
);
CREATE TRIGGER platform_episodes_stored AFTER INSERT ON platform_episodes REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION note_platform_episodes();

create table platform_imports (
  podcast_id uuid not null,
  source text not null,
  id uuid not null,
  imported_at timestamp(3) with time zone not null,
  as_of date,
  show_metrics jsonb not null,
  constraint platform_imports_pkey PRIMARY KEY (podcast_id, source),
  constraint platform_imports_id_key UNIQUE (id),
  constraint platform_imports_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint platform_imports_source_check CHECK ((source = ANY (ARRAY['apple'::text, 'spotify'::text])))
);
CREATE TRIGGER platform_import_ends BEFORE DELETE ON platform_imports FOR EACH ROW EXECUTE FUNCTION note_ending_platform_import();

create table podcast_changes (
  xid xid8 not null default pg_current_xact_id(),
  podcast_id uuid not null,
  constraint podcast_changes_pkey PRIMARY KEY (xid, podcast_id)
);

create table podcast_changes_horizon (
  is_horizon boolean not null default true,
  xid xid8 not null,
  constraint podcast_changes_horizon_pkey PRIMARY KEY (is_horizon),
  constraint podcast_changes_horizon_is_horizon_check CHECK (is_horizon)
);

create table podcast_directories (
  podcast_id uuid not null,
  directory text not null,
  status text not null,
  url text,
  updated_at timestamp(3) with time zone not null,
  constraint podcast_directories_pkey PRIMARY KEY (podcast_id, directory),
  constraint podcast_directories_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint podcast_directories_check CHECK (((status <> 'todo'::text) OR (url IS NOT NULL))),
  constraint podcast_directories_status_check CHECK ((status = ANY (ARRAY['todo'::text, 'submitted'::text, 'listed'::text])))
);

create table podcast_domains (
  podcast_id uuid not null,
  host text not null,
  token text not null,
  state text not null default 'waiting'::text,
  held boolean not null default false,
  misses smallint not null default 0,
  found jsonb,
  checked_at timestamp(3) with time zone,
  tried_at timestamp(3) with time zone,
  taken boolean not null default false,
  lost_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  constraint podcast_domains_pkey PRIMARY KEY (podcast_id),
  constraint podcast_domains_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint podcast_domains_check CHECK ((held OR (state <> 'verified'::text))),
  constraint podcast_domains_check1 CHECK ((held OR (lost_at IS NOT NULL) OR (state <> 'lost'::text))),
  constraint podcast_domains_host_check CHECK ((host ~ '^[a-z0-9.-]{3,243}$'::text)),
  constraint podcast_domains_misses_check CHECK ((misses >= 0)),
  constraint podcast_domains_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'verified'::text, 'lost'::text])))
);
CREATE INDEX podcast_domains_to_check ON podcast_domains USING btree (tried_at NULLS FIRST, podcast_id);
CREATE UNIQUE INDEX podcast_domains_held ON podcast_domains USING btree (host) WHERE held;

create table podcast_download_days (
  podcast_id uuid not null,
  day date not null,
  downloads bigint not null,
  listeners bigint not null,
  constraint podcast_download_days_pkey PRIMARY KEY (podcast_id, day),
  constraint podcast_download_days_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE
);

create table podcast_download_dimension_months (
  podcast_id uuid not null,
  dimension text not null,
  month date not null,
  value text not null,
  downloads bigint not null,
  constraint podcast_download_dimension_months_pkey PRIMARY KEY (podcast_id, dimension, month, value) INCLUDE (downloads),
  constraint podcast_download_dimension_months_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint podcast_download_dimension_months_dimension_check CHECK ((dimension = ANY (ARRAY['apps'::text, 'countries'::text, 'devices'::text, 'sources'::text, 'referrers'::text]))),
  constraint podcast_download_dimension_months_month_check CHECK ((EXTRACT(day FROM month) = (1)::numeric))
);

create table podcast_download_dimensions (
  podcast_id uuid not null,
  dimension text not null,
  day date not null,
  value text not null,
  downloads bigint not null,
  constraint podcast_download_dimensions_pkey PRIMARY KEY (podcast_id, dimension, day, value) INCLUDE (downloads),
  constraint podcast_download_dimensions_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint podcast_download_dimensions_dimension_check CHECK ((dimension = ANY (ARRAY['apps'::text, 'countries'::text, 'devices'::text, 'sources'::text, 'referrers'::text])))
);

create table podcast_download_months (
  podcast_id uuid not null,
  month date not null,
  downloads bigint not null,
  constraint podcast_download_months_pkey PRIMARY KEY (podcast_id, month),
  constraint podcast_download_months_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE
);

create table podcast_members (
  podcast_id uuid not null,
  podcast_created_at timestamp(3) with time zone not null,
  user_id uuid not null,
  role text not null,
  role_name text,
  capabilities text[],
  created_at timestamp(3) with time zone not null,
  constraint podcast_members_pkey PRIMARY KEY (podcast_id, user_id),
  constraint podcast_members_podcast_fkey FOREIGN KEY (podcast_id, podcast_created_at) REFERENCES podcasts(id, created_at) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint podcast_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint podcast_members_check CHECK (((role = 'custom'::text) = (role_name IS NOT NULL))),
  constraint podcast_members_check1 CHECK (((role = 'custom'::text) = (capabilities IS NOT NULL))),
  constraint podcast_members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'editor'::text, 'analyst'::text, 'cohost'::text, 'custom'::text])))
);
CREATE INDEX podcast_members_of_user ON podcast_members USING btree (user_id, podcast_created_at, podcast_id);
CREATE UNIQUE INDEX podcast_members_one_owner ON podcast_members USING btree (podcast_id) WHERE (role = 'owner'::text);

create table podcast_slugs (
  slug text not null,
  podcast_id uuid,
  created_at timestamp(3) with time zone not null,
  constraint podcast_slugs_pkey PRIMARY KEY (slug),
  constraint podcast_slugs_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE SET NULL,
  constraint podcast_slugs_slug_check CHECK (((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(slug) <= 100)))
);
CREATE INDEX podcast_slugs_of_podcast ON podcast_slugs USING btree (podcast_id);

create table podcast_storage (
  podcast_id uuid not null,
  audio_bytes bigint not null,
  image_bytes bigint not null,
  constraint podcast_storage_pkey PRIMARY KEY (podcast_id),
  constraint podcast_storage_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint podcast_storage_audio_bytes_check CHECK ((audio_bytes >= 0)),
  constraint podcast_storage_image_bytes_check CHECK ((image_bytes >= 0))
);

create table podcast_texts (
  podcast_id uuid not null,
  bytes bigint not null,
  made_by xid8 default pg_current_xact_id()
);
CREATE INDEX podcast_texts_of_podcast ON podcast_texts USING btree (podcast_id) INCLUDE (bytes);

create table podcasts (
  id uuid not null,
  account_id uuid not null,
  slug text not null,
  guid text not null,
  created_at timestamp(3) with time zone not null,
  updated_at timestamp(3) with time zone not null,
  revision integer not null default 1,
  title text not null,
  subtitle text,
  author text not null,
  description text not null,
  language text not null default 'en'::text,
  category text,
  subcategory text,
  other_categories jsonb not null default '[]'::jsonb,
  explicit boolean not null default false,
  show_type text not null default 'episodic'::text,
  copyright text,
  website_url text,
  owner_name text,
  owner_email text,
  funding_url text,
  funding_text text,
  other_funding jsonb not null default '[]'::jsonb,
  feed_locked boolean not null default false,
  itunes_block boolean not null default false,
  complete boolean not null default false,
  medium text not null default 'podcast'::text,
  ai_content boolean,
  extra_elements jsonb not null default '[]'::jsonb,
  artwork_id uuid,
  timezone text not null default 'UTC'::text,
  brand_color text,
  player_color text,
  player_theme text not null default 'light'::text,
  player_waveform boolean not null default true,
  show_powered_by boolean not null default true,
  status text not null default 'active'::text,
  paused_at timestamp(3) with time zone,
  new_feed_url text,
  status_before_suspension text,
  suspended_for text,
  overage_released_at timestamp(3) with time zone,
  hosting_type text not null default 'hosted'::text,
  team_keys boolean not null default false,
  episode_moves integer not null default 0,
  imported jsonb,
  text_bytes integer not null generated always as ((((((1000 + octet_length(title)) + octet_length(description)) + COALESCE(octet_length(subtitle), 0)) + octet_length((extra_elements)::text)) + octet_length((other_funding)::text))) stored,
  redirect_feed boolean not null default false,
  confirm_move boolean not null default false,
  ai_training text not null default 'allow'::text,
  enclosure_prefixes jsonb not null default '[]'::jsonb,
  page_sections jsonb not null default '["about", "episodes", "people"]'::jsonb,
  page_text text,
  page_theme text not null default 'auto'::text,
  header_image_id uuid,
  constraint podcasts_pkey PRIMARY KEY (id),
  constraint podcasts_account_id_guid_key UNIQUE (account_id, guid),
  constraint podcasts_id_created_at_key UNIQUE (id, created_at),
  constraint podcasts_slug_key UNIQUE (slug),
  constraint podcasts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint podcasts_artwork_id_fkey FOREIGN KEY (artwork_id) REFERENCES images(id) ON DELETE SET NULL,
  constraint podcasts_header_image_id_fkey FOREIGN KEY (header_image_id) REFERENCES images(id) ON DELETE SET NULL,
  constraint podcasts_ai_training_check CHECK ((ai_training = ANY (ARRAY['allow'::text, 'deny'::text]))),
  constraint podcasts_brand_color_check CHECK ((brand_color ~ '^#[0-9a-f]{6}$'::text)),
  constraint podcasts_check CHECK (((status <> 'moved'::text) OR (new_feed_url IS NOT NULL))),
  constraint podcasts_check1 CHECK (((status <> 'paused'::text) OR (paused_at IS NOT NULL))),
  constraint podcasts_check2 CHECK (((status = 'overage_suspended'::text) = (status_before_suspension IS NOT NULL))),
  constraint podcasts_check3 CHECK (((status = 'overage_suspended'::text) = (suspended_for IS NOT NULL))),
  constraint podcasts_enclosure_prefixes_check CHECK (((jsonb_typeof(enclosure_prefixes) = 'array'::text) AND (jsonb_array_length(enclosure_prefixes) <= 5))),
  constraint podcasts_hosting_type_check CHECK ((hosting_type = ANY (ARRAY['hosted'::text, 'external'::text]))),
  constraint podcasts_page_sections_check CHECK (((jsonb_typeof(page_sections) = 'array'::text) AND (jsonb_array_length(page_sections) <= 7))),
  constraint podcasts_page_text_check CHECK ((length(page_text) <= 20000)),
  constraint podcasts_page_theme_check CHECK ((page_theme = ANY (ARRAY['auto'::text, 'light'::text, 'dark'::text]))),
  constraint podcasts_player_color_check CHECK ((player_color ~ '^#[0-9a-f]{6}$'::text)),
  constraint podcasts_player_theme_check CHECK ((player_theme = ANY (ARRAY['light'::text, 'dark'::text, 'auto'::text]))),
  constraint podcasts_show_type_check CHECK ((show_type = ANY (ARRAY['episodic'::text, 'serial'::text]))),
  constraint podcasts_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'paused'::text, 'overage_suspended'::text, 'moved'::text]))),
  constraint podcasts_suspended_for_check CHECK ((suspended_for = ANY (ARRAY['overage'::text, 'operator'::text]))),
  constraint podcasts_title_check CHECK (((length(title) >= 1) AND (length(title) <= 500)))
);
CREATE INDEX podcasts_by_artwork ON podcasts USING btree (artwork_id) WHERE (artwork_id IS NOT NULL);
CREATE INDEX podcasts_by_guid ON podcasts USING btree (guid);
CREATE INDEX podcasts_by_header_image ON podcasts USING btree (header_image_id) WHERE (header_image_id IS NOT NULL);
CREATE INDEX podcasts_in_directory ON podcasts USING btree (created_at, id) WHERE ((status = 'active'::text) AND (NOT itunes_block));
CREATE INDEX podcasts_in_directory_by_category ON podcasts USING btree (category, created_at, id) WHERE ((status = 'active'::text) AND (NOT itunes_block));
CREATE INDEX podcasts_in_order ON podcasts USING btree (created_at, id);
CREATE INDEX podcasts_of_account ON podcasts USING btree (account_id, created_at, id);
CREATE INDEX podcasts_suspended_for_overage ON podcasts USING btree (id) WHERE (suspended_for = 'overage'::text);
CREATE INDEX podcasts_with_prefixes ON podcasts USING btree (id) WHERE (enclosure_prefixes <> '[]'::jsonb);
CREATE TRIGGER podcast_ends BEFORE DELETE ON podcasts FOR EACH ROW EXECUTE FUNCTION note_uploads_of_ending_podcast();
CREATE TRIGGER podcast_searched AFTER UPDATE OF language ON podcasts FOR EACH ROW EXECUTE FUNCTION queue_podcast_for_search();
CREATE TRIGGER podcast_texts_stored AFTER INSERT OR UPDATE OF text_bytes, guid, author, other_categories, copyright, website_url, owner_name, owner_email, funding_url, funding_text, new_feed_url, enclosure_prefixes, page_text, imported ON podcasts FOR EACH ROW EXECUTE FUNCTION note_texts_of_podcast();

create table prefix_checks (
  podcast_id uuid not null,
  prefixes jsonb not null,
  problem text,
  host text,
  checked_at timestamp(3) with time zone not null,
  constraint prefix_checks_pkey PRIMARY KEY (podcast_id),
  constraint prefix_checks_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint prefix_checks_check CHECK (((problem IS NULL) = (host IS NULL))),
  constraint prefix_checks_host_check CHECK ((length(host) <= 255)),
  constraint prefix_checks_problem_check CHECK ((problem = ANY (ARRAY['unreachable'::text, 'elsewhere'::text, 'insecure'::text])))
);

create table preview_links (
  episode_id uuid not null,
  seed uuid not null,
  token_sha256 text not null,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  podcast_id uuid,
  created_by uuid,
  constraint preview_links_pkey PRIMARY KEY (episode_id),
  constraint preview_links_token_sha256_key UNIQUE (token_sha256),
  constraint preview_links_episode_id_fkey FOREIGN KEY (episode_id) REFERENCES episodes(id) ON DELETE CASCADE,
  constraint preview_links_member_fkey FOREIGN KEY (podcast_id, created_by) REFERENCES podcast_members(podcast_id, user_id) ON DELETE CASCADE
);
CREATE INDEX preview_links_expired ON preview_links USING btree (expires_at);
CREATE INDEX preview_links_of_member ON preview_links USING btree (podcast_id, created_by);

create table publication_clocks (
  consumer text not null,
  published_until timestamp(3) with time zone not null,
  constraint publication_clocks_pkey PRIMARY KEY (consumer)
);

create table restores (
  singleton boolean not null default true,
  snapshot text not null,
  begun_at timestamp(3) with time zone not null,
  loaded_at timestamp(3) with time zone,
  finished_at timestamp(3) with time zone,
  differences integer,
  constraint restores_pkey PRIMARY KEY (singleton),
  constraint restores_singleton_check CHECK (singleton)
);

create table revisions (
  podcast_id uuid,
  episode_id uuid,
  revision integer not null,
  user_id uuid,
  fields text[] not null,
  created_at timestamp(3) with time zone not null,
  constraint revisions_episode_id_fkey FOREIGN KEY (episode_id) REFERENCES episodes(id) ON DELETE CASCADE,
  constraint revisions_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint revisions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE SET NULL,
  constraint revisions_check CHECK ((num_nonnulls(podcast_id, episode_id) = 1))
);
CREATE INDEX revisions_of_user ON revisions USING btree (user_id) WHERE (user_id IS NOT NULL);
CREATE UNIQUE INDEX revisions_of_episode ON revisions USING btree (episode_id, revision) WHERE (episode_id IS NOT NULL);
CREATE UNIQUE INDEX revisions_of_podcast ON revisions USING btree (podcast_id, revision) WHERE (podcast_id IS NOT NULL);

create table schema_migrations (
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone not null default now(),
  oldest_release text,
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

create table search_queue (
  episode_id uuid not null,
  constraint search_queue_pkey PRIMARY KEY (episode_id)
);

create table search_texts (
  episode_id uuid not null,
  podcast_id uuid not null,
  part smallint not null,
  block integer not null,
  first_segment integer not null default 0,
  segment_starts integer[] not null default '{}'::integer[],
  words tsvector not null,
  constraint search_texts_pkey PRIMARY KEY (episode_id, part, block),
  constraint search_texts_part_check CHECK (((part >= 1) AND (part <= 3)))
);
CREATE INDEX search_texts_words ON search_texts USING gin (words) WITH (gin_pending_list_limit='256');
CREATE INDEX search_texts_written ON search_texts USING gin (words) WITH (gin_pending_list_limit='256') WHERE (part < 3);

create table sessions (
  id uuid not null,
  user_id uuid not null,
  token_hash bytea not null,
  user_agent text,
  network_tag bytea not null,
  created_at timestamp(3) with time zone not null,
  last_used_at timestamp(3) with time zone not null,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_token_hash_key UNIQUE (token_hash),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint sessions_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint sessions_user_agent_check CHECK ((length(user_agent) <= 300))
);
CREATE INDEX sessions_by_use ON sessions USING btree (last_used_at);
CREATE INDEX sessions_of_user ON sessions USING btree (user_id, last_used_at DESC, id);

create table site_calls (
  site_id uuid not null,
  after_seq bigint not null,
  called_at timestamp(3) with time zone not null,
  constraint site_calls_pkey PRIMARY KEY (site_id),
  constraint site_calls_site_id_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE
);

create table site_changes (
  site_id uuid not null,
  episode_id uuid not null,
  podcast_id uuid not null,
  seq bigint not null,
  content_hash text,
  reason text,
  changed_at timestamp(3) with time zone not null,
  constraint site_changes_pkey PRIMARY KEY (site_id, episode_id),
  constraint site_changes_content_hash_fkey FOREIGN KEY (content_hash) REFERENCES site_contents(hash),
  constraint site_changes_site_id_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
  constraint site_changes_check CHECK (((content_hash IS NULL) = (reason IS NOT NULL))),
  constraint site_changes_reason_check CHECK ((reason = ANY (ARRAY['unpublished'::text, 'deleted'::text, 'show_removed'::text])))
);
CREATE INDEX site_changes_by_content ON site_changes USING btree (content_hash) WHERE (content_hash IS NOT NULL);
CREATE INDEX site_changes_of_podcast ON site_changes USING btree (site_id, podcast_id, seq) WHERE ((content_hash IS NOT NULL) OR (reason = 'unpublished'::text));
CREATE UNIQUE INDEX site_changes_in_order ON site_changes USING btree (site_id, seq);

create table site_codes (
  hash bytea not null,
  password_tag bytea not null,
  user_id uuid not null,
  site_url text not null,
  rest_root text not null,
  admin_url text,
  site_name text,
  podcast_ids uuid[] not null,
  transcripts boolean not null,
  code_challenge text not null,
  expires_at timestamp(3) with time zone not null,
  constraint site_codes_pkey PRIMARY KEY (hash),
  constraint site_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint site_codes_code_challenge_check CHECK ((code_challenge ~ '^[A-Za-z0-9_-]{43}$'::text)),
  constraint site_codes_hash_check CHECK ((length(hash) = 32)),
  constraint site_codes_password_tag_check CHECK ((length(password_tag) = 32)),
  constraint site_codes_podcast_ids_check CHECK ((cardinality(podcast_ids) > 0))
);
CREATE INDEX site_codes_expired ON site_codes USING btree (expires_at);
CREATE INDEX site_codes_of_user ON site_codes USING btree (user_id);

create table site_contents (
  hash text not null,
  content json not null,
  people_hash text,
  used_at timestamp(3) with time zone not null,
  texts_hash text,
  constraint site_contents_pkey PRIMARY KEY (hash),
  constraint site_contents_people_hash_fkey FOREIGN KEY (people_hash) REFERENCES site_contents(hash),
  constraint site_contents_texts_hash_fkey FOREIGN KEY (texts_hash) REFERENCES site_contents(hash) ON DELETE CASCADE
);
CREATE INDEX site_contents_by_people ON site_contents USING btree (people_hash) WHERE (people_hash IS NOT NULL);
CREATE INDEX site_contents_by_texts ON site_contents USING btree (texts_hash) WHERE (texts_hash IS NOT NULL);
CREATE INDEX site_contents_by_use ON site_contents USING btree (used_at);

create table site_ping_clock (
  singleton boolean not null default true,
  published_until timestamp(3) with time zone not null,
  constraint site_ping_clock_pkey PRIMARY KEY (singleton),
  constraint site_ping_clock_singleton_check CHECK (singleton)
);

create table site_pings (
  site_id uuid not null,
  due_at timestamp(3) with time zone,
  sent_at timestamp(3) with time zone,
  sent_seq bigint not null default 0,
  failures integer not null default 0,
  first_failed_at timestamp(3) with time zone,
  last_error text,
  claim uuid,
  claimed_until timestamp(3) with time zone,
  constraint site_pings_pkey PRIMARY KEY (site_id),
  constraint site_pings_site_id_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
  constraint site_pings_check CHECK (((claim IS NULL) = (claimed_until IS NULL)))
);
CREATE INDEX site_pings_claimed ON site_pings USING btree (claimed_until) WHERE (claimed_until IS NOT NULL);
CREATE INDEX site_pings_due ON site_pings USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (failures = 0));
CREATE INDEX site_pings_to_retry ON site_pings USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (failures > 0));

create table site_podcasts (
  site_id uuid not null,
  podcast_id uuid not null,
  snapshot pg_snapshot,
  as_of timestamp(3) with time zone,
  common_hash text,
  scanned_time timestamp(3) with time zone,
  scanned_id uuid,
  withheld_after bigint,
  constraint site_podcasts_pkey PRIMARY KEY (site_id, podcast_id),
  constraint site_podcasts_site_id_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
  constraint site_podcasts_check CHECK (((scanned_time IS NULL) = (scanned_id IS NULL))),
  constraint site_podcasts_check1 CHECK (((snapshot IS NULL) = (as_of IS NULL)))
);
CREATE INDEX site_podcasts_of_podcast ON site_podcasts USING btree (podcast_id);

create table site_posts (
  site_id uuid not null,
  episode_id uuid not null,
  podcast_id uuid not null,
  post_url text not null,
  state text not null,
  wp_post_id bigint not null,
  content_hash text,
  reported_at timestamp(3) with time zone not null,
  detached_at timestamp(3) with time zone,
  constraint site_posts_pkey PRIMARY KEY (site_id, episode_id),
  constraint site_posts_site_id_fkey FOREIGN KEY (site_id) REFERENCES sites(id) ON DELETE CASCADE,
  constraint site_posts_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'scheduled'::text, 'published'::text, 'draft'::text, 'trashed'::text]))),
  constraint site_posts_wp_post_id_check CHECK (((wp_post_id >= 1) AND (wp_post_id <= '9007199254740991'::bigint)))
);
CREATE INDEX site_posts_by_time ON site_posts USING btree (site_id, reported_at DESC, episode_id DESC);

create table sites (
  id uuid not null,
  user_id uuid not null,
  key_id uuid not null,
  site_url text not null,
  rest_root text not null,
  admin_url text,
  site_name text,
  transcripts boolean not null,
  ping_secret text not null,
  created_at timestamp(3) with time zone not null,
  connected_at timestamp(3) with time zone not null,
  activated_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  plugin_version text,
  wp_version text,
  php_version text,
  reported_at timestamp(3) with time zone,
  last_sync_at timestamp(3) with time zone,
  sync_error_count bigint not null default 0,
  head_seq bigint not null default 0,
  history text,
  lost_positions int8multirange not null default '{}'::int8multirange,
  constraint sites_pkey PRIMARY KEY (id),
  constraint sites_key_id_key UNIQUE (key_id),
  constraint sites_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(id),
  constraint sites_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX sites_of_user ON sites USING btree (user_id, site_url);

create table texts_to_count (
  podcast_id uuid not null,
  constraint texts_to_count_pkey PRIMARY KEY (podcast_id),
  constraint texts_to_count_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE
);

create table transcript_segments (
  episode_id uuid not null,
  position integer not null,
  start_ms integer not null,
  end_ms integer not null,
  speaker text not null,
  body text not null,
  constraint transcript_segments_pkey PRIMARY KEY (episode_id, "position"),
  constraint transcript_segments_episode_id_fkey FOREIGN KEY (episode_id) REFERENCES transcripts(episode_id) ON DELETE CASCADE
);

create table transcripts (
  episode_id uuid not null,
  language text not null,
  has_times boolean not null default true,
  word_count integer not null,
  duration_ms integer not null,
  segment_count integer not null,
  text_bytes integer not null,
  updated_at timestamp(3) with time zone not null,
  constraint transcripts_pkey PRIMARY KEY (episode_id),
  constraint transcripts_episode_id_fkey FOREIGN KEY (episode_id) REFERENCES episodes(id) ON DELETE CASCADE
);
CREATE TRIGGER transcript_searched AFTER INSERT OR DELETE OR UPDATE ON transcripts FOR EACH ROW EXECUTE FUNCTION queue_transcript_for_search();
CREATE TRIGGER transcript_stored AFTER INSERT OR DELETE OR UPDATE OF text_bytes ON transcripts FOR EACH ROW EXECUTE FUNCTION note_texts_of_episode();

create table unreferenced_files (
  id uuid not null,
  since timestamp(3) with time zone not null default now(),
  constraint unreferenced_files_pkey PRIMARY KEY (id)
);

create table uploads (
  id uuid not null,
  user_id uuid not null,
  purpose text not null,
  podcast_id uuid not null,
  episode_id uuid,
  filename text not null,
  metadata jsonb not null,
  size_bytes bigint not null,
  sha256 text,
  received_bytes bigint not null default 0,
  store_state text not null,
  writer jsonb,
  writer_until timestamp(3) with time zone,
  writer_awaited boolean not null default false,
  completed_at timestamp(3) with time zone,
  used_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone not null,
  expires_at timestamp(3) with time zone not null,
  constraint uploads_pkey PRIMARY KEY (id),
  constraint uploads_episode_id_fkey FOREIGN KEY (episode_id) REFERENCES episodes(id) ON DELETE CASCADE,
  constraint uploads_of_member FOREIGN KEY (podcast_id, user_id) REFERENCES podcast_members(podcast_id, user_id) ON DELETE CASCADE,
  constraint uploads_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE,
  constraint uploads_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint uploads_check CHECK (((received_bytes >= 0) AND (received_bytes <= size_bytes))),
  constraint uploads_check1 CHECK (((writer IS NULL) = (writer_until IS NULL))),
  constraint uploads_purpose_check CHECK ((purpose = ANY (ARRAY['audio'::text, 'image'::text, 'transcript'::text, 'chapters'::text]))),
  constraint uploads_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint uploads_size_bytes_check CHECK ((size_bytes > 0))
);
CREATE INDEX uploads_expired ON uploads USING btree (expires_at);
CREATE INDEX uploads_of_episode ON uploads USING btree (episode_id) WHERE (episode_id IS NOT NULL);
CREATE INDEX uploads_of_podcast ON uploads USING btree (podcast_id);
CREATE INDEX uploads_of_user ON uploads USING btree (user_id, created_at);
CREATE TRIGGER upload_ended AFTER DELETE ON uploads FOR EACH ROW WHEN (((pg_trigger_depth() > 0) AND (old.used_at IS NULL) AND (old.received_bytes > 0))) EXECUTE FUNCTION note_ended_upload();

create table users (
  id uuid not null,
  account_id uuid not null,
  email text not null,
  name text not null,
  password_hash text not null,
  accepted_terms text,
  language text,
  created_at timestamp(3) with time zone not null,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_account_id_key UNIQUE (account_id),
  constraint users_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id),
  constraint users_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  constraint users_language_check CHECK ((language = ANY (ARRAY['en'::text, 'de'::text, 'es'::text, 'fr'::text, 'ja'::text, 'ar'::text]))),
  constraint users_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);
CREATE INDEX users_in_order ON users USING btree (created_at, id);
CREATE UNIQUE INDEX users_email ON users USING btree (lower(email));

create table waveforms (
  sha256 text not null,
  peaks bytea,
  duration_ms integer,
  account_id uuid,
  attempts integer not null default 0,
  due_at timestamp(3) with time zone,
  asked_at timestamp(3) with time zone not null,
  constraint waveforms_pkey PRIMARY KEY (sha256),
  constraint waveforms_check CHECK (((peaks IS NULL) OR ((due_at IS NULL) AND (duration_ms IS NOT NULL)))),
  constraint waveforms_peaks_check CHECK (((length(peaks) >= 1) AND (length(peaks) <= 400))),
  constraint waveforms_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text))
);
CREATE INDEX waveforms_waiting ON waveforms USING btree (COALESCE(account_id, '00000000-0000-0000-0000-000000000000'::uuid), due_at) WHERE ((due_at IS NOT NULL) AND (attempts < 3));

create table webhook_deliveries (
  id uuid not null,
  webhook_id uuid not null,
  seq bigint not null generated always as identity,
  type text not null,
  subject_id uuid not null,
  episode_id uuid,
  created_at timestamp(3) with time zone not null,
  state text not null default 'waiting'::text,
  due_at timestamp(3) with time zone,
  attempts integer not null default 0,
  first_tried_at timestamp(3) with time zone,
  tried_at timestamp(3) with time zone,
  status smallint,
  error text,
  response text,
  duration_ms integer,
  constraint webhook_deliveries_pkey PRIMARY KEY (id),
  constraint webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE,
  constraint webhook_deliveries_check CHECK (((state = 'waiting'::text) = (due_at IS NOT NULL))),
  constraint webhook_deliveries_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text, 'dropped'::text, 'cancelled'::text])))
);
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries USING btree (created_at) WHERE (state <> 'waiting'::text);
CREATE INDEX webhook_deliveries_of_subject ON webhook_deliveries USING btree (webhook_id, subject_id, seq) WHERE (state = 'waiting'::text);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries USING btree (webhook_id, seq) WHERE (state = 'waiting'::text);
CREATE INDEX webhook_deliveries_with_response ON webhook_deliveries USING btree (webhook_id, tried_at) WHERE (response IS NOT NULL);
CREATE UNIQUE INDEX webhook_deliveries_in_order ON webhook_deliveries USING btree (webhook_id, seq);
CREATE UNIQUE INDEX webhook_deliveries_untried ON webhook_deliveries USING btree (webhook_id, subject_id, type) WHERE ((state = 'waiting'::text) AND (attempts = 0) AND (type = ANY (ARRAY['episode.updated'::text, 'show.updated'::text])));

create table webhook_episodes (
  podcast_id uuid not null,
  episode_id uuid not null,
  hash bytea,
  is_stale boolean not null default false,
  constraint webhook_episodes_pkey PRIMARY KEY (podcast_id, episode_id),
  constraint webhook_episodes_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES webhook_shows(podcast_id) ON DELETE CASCADE
);
CREATE INDEX webhook_episodes_stale ON webhook_episodes USING btree (podcast_id, episode_id) WHERE is_stale;
CREATE INDEX webhook_episodes_to_hash ON webhook_episodes USING btree (podcast_id, episode_id) WHERE ((hash IS NULL) AND (NOT is_stale));

create table webhook_shows (
  podcast_id uuid not null,
  begun_at timestamp(3) with time zone not null,
  hash bytea,
  is_stale boolean not null default false,
  has_stale_episodes boolean not null default false,
  has_changed boolean not null default false,
  has_publications boolean not null default false,
  imports integer not null default 0,
  compare_at timestamp(3) with time zone,
  constraint webhook_shows_pkey PRIMARY KEY (podcast_id),
  constraint webhook_shows_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES podcasts(id) ON DELETE CASCADE
);
CREATE INDEX webhook_shows_noted ON webhook_shows USING btree (compare_at) WHERE (is_stale OR has_stale_episodes OR has_changed OR has_publications OR (imports > 0));
CREATE INDEX webhook_shows_to_compare ON webhook_shows USING btree (podcast_id) WHERE (is_stale OR (hash IS NULL));
CREATE INDEX webhook_shows_unfinished ON webhook_shows USING btree (podcast_id) WHERE has_stale_episodes;

create table webhooks (
  id uuid not null,
  podcast_id uuid not null,
  place smallint not null,
  url text not null,
  host text not null,
  types text[] not null,
  secret text not null,
  previous_secret text,
  previous_until timestamp(3) with time zone,
  created_by uuid,
  created_at timestamp(3) with time zone not null,
  off_reason text,
  off_at timestamp(3) with time zone,
  due_at timestamp(3) with time zone,
  claim uuid,
  claimed_until timestamp(3) with time zone,
  failing_since timestamp(3) with time zone,
  is_woken boolean not null default false,
  constraint webhooks_pkey PRIMARY KEY (id),
  constraint webhooks_podcast_id_place_key UNIQUE (podcast_id, place),
  constraint webhooks_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id) ON DELETE SET NULL,
  constraint webhooks_podcast_id_fkey FOREIGN KEY (podcast_id) REFERENCES webhook_shows(podcast_id) ON DELETE CASCADE,
  constraint webhooks_check CHECK (((previous_secret IS NULL) = (previous_until IS NULL))),
  constraint webhooks_check1 CHECK (((off_reason IS NULL) = (off_at IS NULL))),
  constraint webhooks_check2 CHECK (((claim IS NULL) = (claimed_until IS NULL))),
  constraint webhooks_off_reason_check CHECK ((off_reason = ANY (ARRAY['user'::text, 'failing'::text, 'ownership'::text]))),
  constraint webhooks_place_check CHECK (((place >= 1) AND (place <= 10))),
  constraint webhooks_types_check CHECK (((cardinality(types) > 0) AND (types <@ ARRAY['episode.published'::text, 'episode.updated'::text, 'episode.unpublished'::text, 'show.updated'::text, 'import.finished'::text]))),
  constraint webhooks_url_check CHECK ((length(url) <= 2048))
);
CREATE INDEX webhooks_claimed ON webhooks USING btree (claimed_until) WHERE (claimed_until IS NOT NULL);
CREATE INDEX webhooks_due ON webhooks USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (failing_since IS NULL));
CREATE INDEX webhooks_of_creator ON webhooks USING btree (created_by) WHERE (created_by IS NOT NULL);
CREATE INDEX webhooks_to_retry ON webhooks USING btree (due_at) WHERE ((due_at IS NOT NULL) AND (failing_since IS NOT NULL));

create table written_files (
  id uuid not null,
  account_id uuid not null,
  bytes bigint not null,
  written_at timestamp(3) with time zone not null default now(),
  constraint written_files_pkey PRIMARY KEY (id),
  constraint written_files_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX written_files_by_age ON written_files USING btree (written_at);
CREATE INDEX written_files_of_account ON written_files USING btree (account_id, written_at) INCLUDE (bytes);

CREATE OR REPLACE FUNCTION byte_count(ranges int8multirange)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (SELECT (COALESCE(sum((upper(r.r) - lower(r.r))), (0)::numeric))::bigint AS "coalesce" FROM unnest(byte_count.ranges) r(r));

CREATE OR REPLACE FUNCTION change_bytes()
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$select 200::bigint$function$;

CREATE OR REPLACE FUNCTION change_podcast_storage(podcast uuid, audio bigint, images bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  -- A podcast that is being deleted takes its row along.
  if (audio = 0 and images = 0) or not exists (select from podcasts where id = podcast) then
    return;
  end if;
  update podcast_storage
  set audio_bytes = audio_bytes + audio, image_bytes = image_bytes + images
  where podcast_id = podcast;
  if found or audio + images < 0 then return; end if;
  insert into podcast_storage as kept (podcast_id, audio_bytes, image_bytes)
  values (podcast, audio, images)
  on conflict (podcast_id) do update set audio_bytes = kept.audio_bytes + audio,
    image_bytes = kept.image_bytes + images;
end
$function$;

CREATE OR REPLACE FUNCTION count_texts(podcast uuid)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select coalesce(sum(bytes), 0)::bigint from (
    select counted_bytes(p) as bytes from podcasts p where p.id = podcast
    union all select counted_bytes(e) from episodes e where e.podcast_id = podcast
    union all select counted_bytes(who) from people who where who.podcast_id = podcast
    union all select counted_bytes(i) from images i where i.podcast_id = podcast
    union all select deleted_episode_bytes(d.guid, d.source_key) from deleted_episodes d
      where d.podcast_id = podcast
    union all select change_bytes() from content_changes c
      where c.podcast_id = podcast and c.subject_id <> podcast
        and not exists (select from episodes e where e.id = c.subject_id)
    union all select platform_episode_bytes(f.title, f.metrics)
      from platform_imports i join platform_episodes f on f.import_id = i.id where i.podcast_id = podcast
    union all select part.bytes from episodes e cross join lateral (
      select text_bytes as bytes from chapters where episode_id = e.id
      union all select text_bytes from transcripts where episode_id = e.id
      union all select text_bytes from further_transcripts where episode_id = e.id
      union all select octet_length(source_url) from audio_files where episode_id = e.id
      union all select credit_bytes() from episode_credits where episode_id = e.id) part
      where e.podcast_id = podcast) rows
$function$;

CREATE OR REPLACE FUNCTION counted_bytes(episodes)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select $1.text_bytes::bigint + octet_length(concat($1.guid, $1.guid, $1.source_key, $1.source_key,
    $1.source_guid, $1.source_enclosure_url, $1.itunes_title, $1.season_name, $1.episode_display, $1.link_url,
    $1.imported))
$function$;

CREATE OR REPLACE FUNCTION counted_bytes(images)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select 500::bigint + 2 * coalesce(octet_length($1.source_url), 0)
$function$;

CREATE OR REPLACE FUNCTION counted_bytes(people)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$select $1.text_bytes::bigint$function$;

CREATE OR REPLACE FUNCTION counted_bytes(podcasts)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select $1.text_bytes::bigint + octet_length(concat($1.guid, $1.author, $1.other_categories, $1.copyright,
    $1.website_url, $1.owner_name, $1.owner_email, $1.funding_url, $1.funding_text, $1.new_feed_url,
    $1.enclosure_prefixes, $1.page_text, $1.imported))
$function$;

CREATE OR REPLACE FUNCTION credit_bytes()
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$select 200::bigint$function$;

CREATE OR REPLACE FUNCTION deleted_episode_bytes(guid text, source_key text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select 200::bigint + octet_length(guid) + coalesce(octet_length(source_key), 0)
$function$;

CREATE OR REPLACE FUNCTION mark_episode_with_downloads()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update episodes set has_downloads = new.downloads > 0
  where id = new.episode_id and has_downloads <> (new.downloads > 0);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION note_credits()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into podcast_texts (podcast_id, bytes)
  select e.podcast_id, case tg_op when 'DELETE' then -1 else 1 end * count(*) * credit_bytes()
  from changed join episodes e on e.id = changed.episode_id
  group by e.podcast_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION note_deleted_episodes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into podcast_texts (podcast_id, bytes)
  select p.id, case tg_op when 'DELETE' then -1 else 1 end
    * sum(deleted_episode_bytes(changed.guid, changed.source_key))
  from changed join podcasts p on p.id = changed.podcast_id
  group by p.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION note_ended_upload()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into unreferenced_files (id) values (old.id)
  on conflict (id) do update set since = excluded.since;
  perform note_written_file(old.podcast_id, old.id::text, old.received_bytes);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION note_ending_episode()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Of a podcast that is deleted with its episodes, nothing is taken off: its sums are gone already.
  if not exists (select from podcasts where id = old.podcast_id) then return old; end if;
  perform change_podcast_storage(old.podcast_id, -coalesce(sum(size_bytes), 0)::bigint, 0) from (
    select size_bytes from audio_files where episode_id = old.id and blob_key is not null
    union all select size_bytes from audio_replacements where episode_id = old.id) files;
  insert into podcast_texts (podcast_id, bytes)
  select old.podcast_id, change_bytes() - counted_bytes(old) - coalesce(sum(bytes), 0) from (
    select text_bytes as bytes from chapters where episode_id = old.id
    union all select text_bytes from transcripts where episode_id = old.id
    union all select text_bytes from further_transcripts where episode_id = old.id
    union all select octet_length(source_url) from audio_files where episode_id = old.id
    union all select credit_bytes() from episode_credits where episode_id = old.id) parts;
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION note_ending_platform_import()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into podcast_texts (podcast_id, bytes)
  select p.id, -sum(platform_episode_bytes(f.title, f.metrics))
  from podcasts p join platform_episodes f on f.import_id = old.id
  where p.id = old.podcast_id group by p.id;
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION note_platform_episodes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into podcast_texts (podcast_id, bytes)
  select i.podcast_id, sum(platform_episode_bytes(changed.title, changed.metrics))
  from changed join platform_imports i on i.id = changed.import_id
  group by i.podcast_id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION note_source_of_audio()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into podcast_texts (podcast_id, bytes)
  select e.podcast_id, added.bytes
  from episodes e, lateral (select
    case tg_op when 'DELETE' then 0 else coalesce(octet_length(new.source_url), 0) end
    - case tg_op when 'INSERT' then 0 else coalesce(octet_length(old.source_url), 0) end as bytes) added
  where e.id = case tg_op when 'DELETE' then old.episode_id else new.episode_id end and added.bytes <> 0;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION note_stored_audio()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  bytes bigint := 0;
begin
  if tg_op <> 'INSERT' and old.blob_key is not null then
    bytes := bytes - coalesce(old.size_bytes, 0);
  end if;
  if tg_op <> 'DELETE' and new.blob_key is not null then
    bytes := bytes + coalesce(new.size_bytes, 0);
    perform note_written_file(e.podcast_id, new.blob_key, new.size_bytes) from episodes e
    where e.id = new.episode_id;
  end if;
  perform change_podcast_storage(e.podcast_id, bytes, 0) from episodes e
  where bytes <> 0 and e.id = case tg_op when 'DELETE' then old.episode_id else new.episode_id end;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION note_stored_image()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op <> 'INSERT' then
    perform change_podcast_storage(old.podcast_id, 0, -old.size_bytes::bigint);
  end if;
  if tg_op <> 'DELETE' then
    perform change_podcast_storage(new.podcast_id, 0, new.size_bytes::bigint);
    perform note_written_file(new.podcast_id, new.id::text, new.size_bytes::bigint);
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION note_texts_in_podcast()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  bytes bigint := 0;
  podcast uuid;
begin
  -- `old` has no type in a trigger of inserts, and `new` none in one of deletions.
  if tg_op <> 'INSERT' then
    bytes := -counted_bytes(old);
    podcast := old.podcast_id;
  end if;
  if tg_op <> 'DELETE' then
    bytes := bytes + counted_bytes(new);
    podcast := new.podcast_id;
  end if;
  if bytes <> 0 then insert into podcast_texts (podcast_id, bytes) values (podcast, bytes); end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION note_texts_of_episode()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into podcast_texts (podcast_id, bytes)
  select podcast_id, case tg_op when 'DELETE' then 0 else new.text_bytes end
    - case tg_op when 'INSERT' then 0 else old.text_bytes end
  from episodes where id = case tg_op when 'DELETE' then old.episode_id else new.episode_id end;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION note_texts_of_podcast()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  bytes bigint := counted_bytes(new);
begin
  if tg_op = 'UPDATE' then bytes := bytes - counted_bytes(old); end if;
  if bytes <> 0 then insert into podcast_texts (podcast_id, bytes) values (new.id, bytes); end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION note_unreferenced_audio()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into unreferenced_files (id)
  select id::uuid
  from substring(old.blob_key from '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}') as id
  where id is not null
  on conflict (id) do update set since = excluded.since;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION note_unreferenced_image()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into unreferenced_files (id) values (old.id)
  on conflict (id) do update set since = excluded.since;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION note_uploads_of_ending_podcast()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform note_written_file(old.id, id::text, received_bytes) from uploads
  where podcast_id = old.id and used_at is null and received_bytes > 0;
  return old;
end
$function$;

CREATE OR REPLACE FUNCTION note_written_file(podcast uuid, file text, size bigint)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into written_files (id, account_id, bytes)
  select key::uuid, p.account_id, size
  from podcasts p, substring(file from '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}') as key
  where p.id = podcast and key is not null
  on conflict (id) do nothing
$function$;

CREATE OR REPLACE FUNCTION platform_episode_bytes(title text, metrics jsonb)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  select 100::bigint + octet_length(title) + octet_length(metrics::text)
$function$;

CREATE OR REPLACE FUNCTION queue_episode_for_search()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    perform queue_for_search(old.id);
  elsif tg_op = 'INSERT' or (old.title, old.subtitle, old.description, old.show_notes)
      is distinct from (new.title, new.subtitle, new.description, new.show_notes) then
    perform queue_for_search(new.id);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION queue_for_search(episode uuid)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into search_queue (episode_id) values (episode)
  on conflict (episode_id) do update set episode_id = excluded.episode_id
$function$;

CREATE OR REPLACE FUNCTION queue_podcast_for_search()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.language is distinct from new.language then
    insert into search_queue (episode_id) select id from episodes where podcast_id = new.id order by id
    on conflict do nothing;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION queue_transcript_for_search()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform queue_for_search(case when tg_op = 'DELETE' then old.episode_id else new.episode_id end);
  return null;
end $function$;
