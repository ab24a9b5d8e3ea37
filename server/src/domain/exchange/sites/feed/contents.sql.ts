import { sql } from 'kysely';
import type { Db } from '../../../foundation/database.ts';
import type { KeptContent, KeptRow, SiteEpisode } from './site-episode.ts';

/** Contents are written and read in portions of about this size. */
const portionBytes = 2_000_000;

const minuteMs = 60_000;
/** A content that is named again counts as used now, if its last use is older than this. */
const usedAgainAfterMs = minuteMs;
/**
 * A content that no change has named for so long can be deleted. A transaction that is about to
 * name it has locked it, or was too late to be seen; in both cases it has set `used_at` first,
 * unless that was younger than a minute then. So this is safe if a transaction takes less than the
 * difference, nine minutes: its statements end after 30 seconds, and PostgreSQL ends it after five
 * minutes between two statements. Of a longer one, the foreign key protects the content, and the
 * job fails and runs again.
 */
const unusedAfterMs = 10 * minuteMs;

/** Stores new contents. Known ones are kept until the transaction ends, and ten minutes longer. */
export async function keepContents(
  db: Db,
  contents: readonly KeptContent[],
  now: Date,
): Promise<void> {
  // The parts of a known content stay with it.
  const unknown = await selectUnknown(db, contents, now);
  // Before the contents that refer to them.
  const parts = unknown.flatMap(({ people, texts }) => [people ?? [], texts ?? []].flat());
  await insertRows(db, await selectUnknown(db, parts, now), now);
  await insertRows(db, unknown, now);
}

/** Those that are not stored, by their hash; locks the others. By site_contents_pkey. */
async function selectUnknown<Row extends KeptRow>(
  db: Db,
  rows: readonly Row[],
  now: Date,
): Promise<Row[]> {
  if (rows.length === 0) return [];
  const byHash = new Map(rows.map((row) => [row.hash, row]));
  // Always in the same order, so that transactions of several sites do not deadlock.
  const hashes = [...byHash.keys()].sort();
  const usedBefore = new Date(now.getTime() - usedAgainAfterMs);
  const { rows: known } = await sql<{ hash: string; isOld: boolean }>`
    select hash, used_at < ${usedBefore} as "isOld" from site_contents
    where hash = any (${hashes}::text[]) order by hash for key share`.execute(db);
  const old = known.flatMap(({ hash, isOld }) => (isOld ? [hash] : []));
  if (old.length > 0) {
    await sql`update site_contents set used_at = ${now} where hash = any (${old}::text[])`.execute(
      db,
    );
  }
  for (const { hash } of known) byHash.delete(hash);
  return hashes.flatMap((hash) => byHash.get(hash) ?? []);
}

async function insertRows(
  db: Db,
  rows: readonly (KeptRow & Partial<KeptContent>)[],
  now: Date,
): Promise<void> {
  for (const portion of inPortions(rows)) {
    await sql`insert into site_contents (hash, content, people_hash, texts_hash, used_at)
      select hash, json::json, people_hash, texts_hash, ${now}
      from unnest(${portion.map(({ hash }) => hash)}::text[],
        ${portion.map(({ json }) => json)}::text[],
        ${portion.map(({ people }) => people?.hash ?? null)}::text[],
        ${portion.map(({ texts }) => texts?.hash ?? null)}::text[])
        as given (hash, json, people_hash, texts_hash)
      on conflict (hash) do nothing`.execute(db);
  }
}

function inPortions<Row extends KeptRow>(rows: readonly Row[]): Row[][] {
  const portions: Row[][] = [];
  let size = portionBytes;
  for (const row of rows) {
    if (size >= portionBytes) {
      portions.push([]);
      size = 0;
    }
    portions.at(-1)?.push(row);
    size += row.json.length;
  }
  return portions;
}

interface StoredContent {
  readonly hash: string;
  readonly content: SiteEpisode;
  /** Null: they are in the content. */
  readonly people: SiteEpisode['people'] | null;
  /** Null: they are in the content. */
  readonly texts: Partial<SiteEpisode> | null;
}

/** The first of these, and as many more as fit in one portion. By site_contents_pkey. */
export async function selectContents(
  db: Db,
  hashes: readonly string[],
): Promise<Map<string, SiteEpisode>> {
  const { rows } = await sql<StoredContent>`
    select hash, content, people, texts from (
      select kept.hash, kept.content, list.content as people, texts.content as texts,
        sum(size.bytes) over (order by wanted.place) - size.bytes as before
      from unnest(${hashes}::text[]) with ordinality as wanted (hash, place)
      join site_contents kept on kept.hash = wanted.hash
      left join site_contents list on list.hash = kept.people_hash
      left join site_contents texts on texts.hash = kept.texts_hash
      cross join lateral (select octet_length(kept.content::text)
        + coalesce(octet_length(list.content::text), 0)
        + coalesce(octet_length(texts.content::text), 0) as bytes) size) sized
    where before < ${portionBytes}`.execute(db);
  return new Map(
    rows.map(({ hash, content, people, texts }) => [
      hash,
      { ...content, ...texts, ...(people !== null && { people }) },
    ]),
  );
}

/** A content, in the order in which `selectOldContents` lists them. */
export interface OldContent {
  readonly hash: string;
  readonly usedAt: Date;
}

/** The next contents whose last use is not recent. By site_contents_by_use. */
export async function selectOldContents(
  db: Db,
  after: OldContent,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<OldContent[]> {
  const { rows } = await sql<OldContent>`
    select hash, used_at as "usedAt" from site_contents
    where used_at < ${new Date(now.getTime() - unusedAfterMs)}
      and (used_at, hash) > (${after.usedAt}, ${after.hash})
    order by used_at, hash limit ${limit}`.execute(db);
  return rows;
}

/**
 * Deletes those of these contents that nothing has named for ten minutes. Returns the parts that
 * they named. By site_contents_pkey, site_changes_by_content, site_contents_by_people and
 * site_contents_by_texts.
 */
export async function deleteUnusedContents(
  db: Db,
  hashes: readonly string[],
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ people: string | null; texts: string | null }>`
    delete from site_contents where hash in (
      select hash from site_contents kept
      where kept.hash = any (${hashes}::text[])
        and kept.used_at < ${new Date(now.getTime() - unusedAfterMs)}
        and not exists (select from site_changes c where c.content_hash = kept.hash)
        and not exists (select from site_contents c where c.people_hash = kept.hash)
        and not exists (select from site_contents c where c.texts_hash = kept.hash)
      for update skip locked)
    returning people_hash as people, texts_hash as texts`.execute(db);
  return [...new Set(rows.flatMap(({ people, texts }) => [people ?? [], texts ?? []].flat()))];
}
