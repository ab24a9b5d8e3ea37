import { sql } from 'kysely';
import type { Db } from '../../server/src/domain/foundation/database.ts';

export interface NetworkSize {
  readonly shows: number;
  readonly episodesOfShow: number;
  /** The first one owns `showsOfFirst` shows; the others share the rest. */
  readonly users: number;
  readonly showsOfFirst: number;
  /** With downloads of each episode. */
  readonly days: number;
}

/** A UUID that is the same for the same text. */
const id = (text: string) => sql.raw(`md5(${text})::uuid`);

/**
 * Writes a network directly, which takes a minute: users, shows and published episodes with audio
 * elsewhere, and their downloads. The database must be empty.
 */
export async function insertNetwork(db: Db, size: NetworkSize): Promise<void> {
  const { shows, episodesOfShow, users, showsOfFirst, days } = size;
  const owner = `'user ' || case when n <= ${showsOfFirst} then 1 else 2 + n % ${users - 1} end`;
  const moment = sql.raw(`date_trunc('milliseconds', now()) - interval '1 year'`);
  await sql`insert into accounts (id, plan, created_at)
    select ${id(`'account user ' || n`)}, 'enterprise', ${moment}
    from generate_series(1, ${sql.lit(users)}) n`.execute(db);
  await sql`insert into users (id, account_id, email, name, password_hash, created_at)
    select ${id(`'user ' || n`)}, ${id(`'account user ' || n`)}, 'user' || n || '@example.com',
      'User ' || n, 'none', ${moment}
    from generate_series(1, ${sql.lit(users)}) n`.execute(db);
  await sql`insert into podcasts (id, account_id, slug, guid, created_at, updated_at, title, author,
      description)
    select ${id(`'show ' || n`)}, ${id(`'account ' || ${owner}`)}, 'show-' || n, ${id(`'guid ' || n`)},
      ${moment}, ${moment}, 'Show number ' || n, 'Author ' || n, repeat('What it is about. ', 20)
    from generate_series(1, ${sql.lit(shows)}) n`.execute(db);
  await sql`insert into podcast_slugs (slug, podcast_id, created_at)
    select slug, id, created_at from podcasts`.execute(db);
  await sql`insert into podcast_members (podcast_id, podcast_created_at, user_id, role, created_at)
    select p.id, p.created_at, u.id, 'owner', p.created_at
    from podcasts p join users u on u.account_id = p.account_id`.execute(db);
  await sql`insert into episodes (id, podcast_id, slug, title, description, show_notes,
      show_notes_html, episode_number, status, published_at, status_changed_at, created_at, updated_at,
      media_name, has_downloads)
    select ${id(`p.id || ' episode ' || n`)}, p.id, 'episode-' || n, 'Episode number ' || n,
      repeat('What happened. ', 10), repeat('What happened. ', 60),
      '<p>' || repeat('What happened. ', 60) || '</p>', n, 'published', p.created_at + n * interval '1 day',
      p.created_at, p.created_at, p.created_at, 'episode-' || n, true
    from podcasts p cross join generate_series(1, ${sql.lit(episodesOfShow)}) n`.execute(db);
  await sql`insert into episode_slugs (podcast_id, slug, episode_id, created_at)
    select podcast_id, slug, id, created_at from episodes`.execute(db);
  await sql`insert into audio_files (episode_id, source_url, content_type, extension, size_bytes,
      duration_ms, updated_at)
    select id, 'https://audio.example/' || id || '.mp3', 'audio/mpeg', 'mp3', 28800000, 1800000,
      created_at
    from episodes`.execute(db);
  await sql`insert into episode_download_days (podcast_id, episode_id, day, downloads)
    select podcast_id, id, current_date - d, 1 + d + episode_number
    from episodes cross join generate_series(1, ${sql.lit(days)}) d`.execute(db);
  await sql`insert into episode_download_totals (podcast_id, episode_id, downloads)
    select podcast_id, episode_id, sum(downloads) from episode_download_days
    group by podcast_id, episode_id`.execute(db);
  await sql`insert into podcast_download_days (podcast_id, day, downloads, listeners)
    select podcast_id, day, sum(downloads), sum(downloads) from episode_download_days
    group by podcast_id, day`.execute(db);
  await sql`insert into podcast_download_months (podcast_id, month, downloads)
    select podcast_id, date_trunc('month', day)::date, sum(downloads) from podcast_download_days
    group by 1, 2`.execute(db);
}

/** Lets a user of the network sign in with the password of another user. */
export async function copyPassword(
  db: Db,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await sql`update users set password_hash = (select password_hash from users where email = ${from})
    where email = ${to}`.execute(db);
}
