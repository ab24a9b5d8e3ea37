import { sql } from 'kysely';
import type { Db } from '../../../foundation/database.ts';
import type { KeptContent, SiteEpisode } from './site-episode.ts';

/** Contents are written and read in portions of about this size. */
const portionBytes = 2_000_000;

const hourMs = 3_600_000;
const unusedAfterMs = 24 * hourMs;

/**
 * Stores new contents. Known ones are kept until the transaction ends, and a day longer. By
 * site_contents_pkey.
 */
export async function keepContents(
  db: Db,
  contents: readonly KeptContent[],
  now: Date,
): Promise<void> {
  const byHash = new Map(contents.map((content) => [content.hash, content]));
  // Always in the same order, so that transactions of several sites do not deadlock.
  const hashes = [...byHash.keys()].sort();
  const { rows: known } = await sql<{ hash: string; isOld: boolean }>`
    select hash, used_at < ${new Date(now.getTime() - hourMs)} as "isOld" from site_contents
    where hash = any (${hashes}::text[]) order by hash for key share`.execute(db);
  const old = known.flatMap(({ hash, isOld }) => (isOld ? [hash] : []));
  if (old.length > 0) {
    await sql`update site_contents set used_at = ${now} where hash = any (${old}::text[])`.execute(
      db,
    );
  }
  for (const { hash } of known) byHash.delete(hash);
  for (const portion of inPortions(hashes.flatMap((hash) => byHash.get(hash) ?? []))) {
    await sql`insert into site_contents (hash, content, used_at)
      select hash, json::json, ${now}
      from unnest(${portion.map(({ hash }) => hash)}::text[],
        ${portion.map(({ json }) => json)}::text[]) as given (hash, json)
      on conflict (hash) do nothing`.execute(db);
  }
}

function inPortions(contents: readonly KeptContent[]): KeptContent[][] {
  const portions: KeptContent[][] = [];
  let size = portionBytes;
  for (const content of contents) {
    if (size >= portionBytes) {
      portions.push([]);
      size = 0;
    }
    portions.at(-1)?.push(content);
    size += content.json.length;
  }
  return portions;
}

/** The first of these, and as many more as fit in one portion. By site_contents_pkey. */
export async function selectContents(
  db: Db,
  hashes: readonly string[],
): Promise<Map<string, SiteEpisode>> {
  const { rows } = await sql<{ hash: string; content: SiteEpisode }>`
    select hash, content from (
      select kept.hash, kept.content,
        sum(octet_length(kept.content::text)) over (order by wanted.place)
          - octet_length(kept.content::text) as before
      from unnest(${hashes}::text[]) with ordinality as wanted (hash, place)
      join site_contents kept on kept.hash = wanted.hash) sized
    where before < ${portionBytes}`.execute(db);
  return new Map(rows.map(({ hash, content }) => [hash, content]));
}

/**
 * Deletes contents that no change has named for a day, at most `limit`. Returns their number. By
 * site_contents_by_use and site_changes_by_content.
 */
export async function deleteUnusedContents(db: Db, now: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ hash: string }>`
    delete from site_contents where hash in (
      select hash from site_contents kept
      where kept.used_at < ${new Date(now.getTime() - unusedAfterMs)}
        and not exists (select from site_changes c where c.content_hash = kept.hash)
      order by kept.used_at limit ${limit} for update skip locked)
    returning hash`.execute(db);
  return rows.length;
}
