import { sql } from 'kysely';
import type { Db } from '../../../foundation/database.ts';
import type { KeptContent, SiteEpisode } from './site-episode.ts';

/** Contents are written and read in portions of about this size. */
const portionBytes = 2_000_000;

const hourMs = 3_600_000;
const unusedAfterMs = 24 * hourMs;

/** Stores new contents. Known ones are kept until the transaction ends, and a day longer. */
export async function keepContents(
  db: Db,
  contents: readonly KeptContent[],
  now: Date,
): Promise<void> {
  // Before the contents that refer to them.
  await keepRows(
    db,
    contents.flatMap(({ people }) => people ?? []),
    now,
  );
  await keepRows(db, contents, now);
}

/** By site_contents_pkey. */
async function keepRows(db: Db, contents: readonly KeptContent[], now: Date): Promise<void> {
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
    await sql`insert into site_contents (hash, content, people_hash, used_at)
      select hash, json::json, people_hash, ${now}
      from unnest(${portion.map(({ hash }) => hash)}::text[],
        ${portion.map(({ json }) => json)}::text[],
        ${portion.map(({ people }) => people?.hash ?? null)}::text[]) as given (hash, json, people_hash)
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

interface StoredContent {
  readonly hash: string;
  readonly content: SiteEpisode;
  /** Null: they are in the content. */
  readonly people: SiteEpisode['people'] | null;
}

/** The first of these, and as many more as fit in one portion. By site_contents_pkey. */
export async function selectContents(
  db: Db,
  hashes: readonly string[],
): Promise<Map<string, SiteEpisode>> {
  const { rows } = await sql<StoredContent>`
    select hash, content, people from (
      select kept.hash, kept.content, list.content as people,
        sum(size.bytes) over (order by wanted.place) - size.bytes as before
      from unnest(${hashes}::text[]) with ordinality as wanted (hash, place)
      join site_contents kept on kept.hash = wanted.hash
      left join site_contents list on list.hash = kept.people_hash
      cross join lateral (select octet_length(kept.content::text)
        + coalesce(octet_length(list.content::text), 0) as bytes) size) sized
    where before < ${portionBytes}`.execute(db);
  return new Map(
    rows.map(({ hash, content, people }) => [
      hash,
      people === null ? content : { ...content, people },
    ]),
  );
}

/**
 * Deletes contents that no change has named for a day, at most `limit`. Returns their number. By
 * site_contents_by_use, site_changes_by_content and site_contents_by_people.
 */
export async function deleteUnusedContents(db: Db, now: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ hash: string }>`
    delete from site_contents where hash in (
      select hash from site_contents kept
      where kept.used_at < ${new Date(now.getTime() - unusedAfterMs)}
        and not exists (select from site_changes c where c.content_hash = kept.hash)
        and not exists (select from site_contents c where c.people_hash = kept.hash)
      order by kept.used_at limit ${limit} for update skip locked)
    returning hash`.execute(db);
  return rows.length;
}
