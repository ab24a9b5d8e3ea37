import { sql } from 'kysely';
import type { Db } from '../../server/src/domain/foundation/database.ts';

export interface EpisodeBatch {
  readonly podcastId: string;
  /** Numbers of the first and last episode to make; 1 is the show's oldest. */
  readonly from: number;
  readonly to: number;
  /** The number of episodes of the show. The newest is an hour old; they are an hour apart. */
  readonly count: number;
  /** Show notes, used in turn. */
  readonly notes: readonly string[];
}

/**
 * Published episodes with audio. Season 1 is the oldest quarter of the show and 4 the newest;
 * every tenth is a bonus; every hundredth of the oldest fifth is a trailer.
 */
export async function insertEpisodes(db: Db, batch: EpisodeBatch): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await insertRows(tx, batch);
    await sql`insert into episode_slugs (podcast_id, slug, episode_id, created_at)
      select podcast_id, slug, id, created_at from episodes
      where podcast_id = ${batch.podcastId}
        and episode_number between ${batch.from} and ${batch.to}`.execute(tx);
    await sql`insert into audio_files (episode_id, blob_key, content_type, extension, size_bytes,
        duration_ms, sha256, bitrate_bps, updated_at)
      select id, 'audio/' || id || '.mp3', 'audio/mpeg', 'mp3', 28800000 + episode_number,
        1800000 + episode_number, encode(sha256(id::text::bytea), 'hex'), 128000, created_at
      from episodes where podcast_id = ${batch.podcastId}
        and episode_number between ${batch.from} and ${batch.to}`.execute(tx);
  });
}

/** Inserts rows with ids in the order of creation, like UUIDv7. */
async function insertRows(db: Db, batch: EpisodeBatch): Promise<void> {
  const { podcastId, from, to, count, notes } = batch;
  await sql`
    insert into episodes (id, podcast_id, slug, title, subtitle, description, show_notes,
      show_notes_html, season, episode_number, episode_type, status, published_at,
      status_changed_at, created_at, updated_at, media_name)
    select (lpad(to_hex(1700000000000 + n), 12, '0') || '7' || substr(hash, 1, 3) || 'a'
        || substr(hash, 4, 15))::uuid,
      ${podcastId}::uuid, 'episode-' || n, 'Episode number ' || n, 'What happened in hour ' || n,
      left(regexp_replace(text, '<[^>]*>', ' ', 'g'), 300), regexp_replace(text, '<[^>]*>', ' ', 'g'),
      text, 1 + (n - 1) * 4 / ${count}::int, n,
      case when n % 100 = 7 and n <= ${count}::int / 5 then 'trailer'
        when n % 10 = 0 then 'bonus' else 'full' end,
      'published', moment, moment, moment, moment, 'episode-' || n
    from generate_series(${from}::int, ${to}::int) n
    cross join lateral (select md5(${podcastId}::text || n) as hash,
      (${sql.val([...notes])}::text[])[1 + n % ${notes.length}::int] as text,
      date_trunc('milliseconds', now()) - (1 + ${count}::int - n) * interval '1 hour' as moment
    ) made`.execute(db);
}

/** Makes all audio that of other hosts. */
export async function removeCopies(db: Db): Promise<void> {
  await sql`update audio_files set source_url = 'https://audio.example/' || episode_id || '.mp3',
    blob_key = null, sha256 = null`.execute(db);
}

/** Does at once what autovacuum would do later. */
export async function vacuum(db: Db): Promise<void> {
  await sql`vacuum (analyze)`.execute(db);
  await sql`checkpoint`.execute(db);
}
