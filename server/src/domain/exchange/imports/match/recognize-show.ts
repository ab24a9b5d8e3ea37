import type { Context } from '../../../foundation/context.ts';
import type { ReportDraft } from '../report/report-draft.ts';
import { selectLikePodcast } from './known-identities.sql.ts';
import { audioOf, type FeedItem } from './list-items.ts';
import { titleOf } from './pair-by-content.ts';

const looksAt = 500;
const fewestTitles = 3;

/**
 * Warns if the feed of a new show has the episodes of an existing one: half of its audio, or of its
 * titles.
 */
export async function warnOfKnownShow(
  ctx: Context,
  report: ReportDraft,
  items: readonly FeedItem[],
  account: { readonly id: string; readonly without?: string },
): Promise<void> {
  const newest = items.slice(-looksAt);
  const { redirectTable } = ctx.installation;
  const audio = onlyOnce(
    newest.flatMap(({ item }) =>
      item.enclosure ? [audioOf(item.enclosure.url, redirectTable)] : [],
    ),
  );
  const titles = new Set(newest.flatMap(({ item }) => titleOf(item.title) ?? []));
  const found = await selectLikePodcast(ctx.db, account, {
    audio: [...audio],
    titles: [...titles],
  });
  if (found === undefined) return;
  const isAudio = found.audio > 0 && found.audio * 2 >= audio.size;
  const isTitles = found.titles >= fewestTitles && found.titles * 2 >= titles.size;
  if (!isAudio && !isTitles) return;
  const same = isAudio
    ? `${found.audio} ${found.audio === 1 ? 'episode has' : 'episodes have'} the same audio`
    : `${found.titles} episodes have the same title`;
  const message = `This looks like your show "${found.title}" (${found.slug}): ${same}. You can import it into that show.`;
  report.warn({ reason: 'known_show', message });
}

/**
 * Addresses that several items share once their query is removed (`/a.mp3?id=1`) tell nothing about
 * the file behind them.
 */
function onlyOnce(addresses: readonly string[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const address of addresses) counts.set(address, (counts.get(address) ?? 0) + 1);
  return new Set([...counts].flatMap(([address, count]) => (count === 1 ? [address] : [])));
}
