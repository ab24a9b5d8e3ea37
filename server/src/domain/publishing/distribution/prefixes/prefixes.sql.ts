import { sql } from 'kysely';
import type { Db } from '../../../foundation/database.ts';

/** What can be wrong with the way through a show's prefixes. */
export type PrefixFault = 'unreachable' | 'elsewhere' | 'insecure';

export interface PrefixProblem {
  readonly problem: PrefixFault;
  /** The host at which the way ends, or that is reached over http. */
  readonly host: string;
}

export interface ShowToCheck {
  readonly podcastId: string;
  readonly prefixes: readonly string[];
  /** The newest audio of the feed; null: there is none. */
  readonly episodeId: string | null;
  readonly fileName: string | null;
}

const columns = sql`p.id as "podcastId", p.enclosure_prefixes as prefixes,
  newest.id as "episodeId", newest.media_name || '.' || newest.extension as "fileName"`;
const hasPrefixes = sql`p.enclosure_prefixes <> '[]' and p.status = 'active'`;
const joinNewestAudio = (now: Date) => sql`
  left join lateral (select e.id, e.media_name, audio.extension
    from episodes e join audio_files audio on audio.episode_id = e.id
    where e.podcast_id = p.id and e.public_from <= ${now} and audio.blob_key is not null
    order by e.public_from desc, e.id desc limit 1) newest on true`;

/** A public show with prefixes. By the primary key and episodes_public. */
export async function selectShowToCheck(
  db: Db,
  podcastId: string,
  now: Date,
): Promise<ShowToCheck | undefined> {
  const { rows } = await sql<ShowToCheck>`
    select ${columns} from podcasts p ${joinNewestAudio(now)}
    where p.id = ${podcastId} and ${hasPrefixes}`.execute(db);
  return rows[0];
}

/**
 * Public shows whose prefixes were not checked since `checkedBefore`, or are others now. By
 * podcasts_with_prefixes, prefix_checks_pkey and episodes_public.
 */
export async function selectPrefixesToCheck(
  db: Db,
  { checkedBefore, now, limit }: { checkedBefore: Date; now: Date; limit: number },
): Promise<ShowToCheck[]> {
  const { rows } = await sql<ShowToCheck>`
    select ${columns} from podcasts p
    left join prefix_checks checked on checked.podcast_id = p.id
    ${joinNewestAudio(now)}
    where ${hasPrefixes}
      and (checked.podcast_id is null or checked.checked_at <= ${checkedBefore}
        or checked.checked_at > ${now} or checked.prefixes <> p.enclosure_prefixes)
    order by checked.checked_at nulls first, p.id
    limit ${limit}`.execute(db);
  return rows;
}

/** Stores what was found; no effect if the show is gone. */
export async function upsertPrefixCheck(
  db: Db,
  { podcastId, prefixes }: ShowToCheck,
  found: PrefixProblem | undefined,
  checkedAt: Date,
): Promise<void> {
  const { problem = null, host = null } = found ?? {};
  await sql`
    insert into prefix_checks (podcast_id, prefixes, problem, host, checked_at)
    select id, ${JSON.stringify(prefixes)}::jsonb, ${problem}, ${host}, ${checkedAt}
    from podcasts where id = ${podcastId}
    on conflict (podcast_id) do update set prefixes = excluded.prefixes,
      problem = excluded.problem, host = excluded.host, checked_at = excluded.checked_at`.execute(
    db,
  );
}

/** Of the present prefixes; undefined: nothing is wrong, or they have not been checked yet. By the primary keys. */
export async function selectPrefixProblem(
  db: Db,
  podcastId: string,
): Promise<PrefixProblem | undefined> {
  const { rows } = await sql<PrefixProblem>`
    select checked.problem, checked.host from prefix_checks checked
    join podcasts p on p.id = checked.podcast_id and p.enclosure_prefixes = checked.prefixes
    where checked.podcast_id = ${podcastId} and checked.problem is not null`.execute(db);
  return rows[0];
}
