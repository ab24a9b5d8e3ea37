import type { Context } from '../context.ts';
import { selectLikePodcast } from './known-identities.sql.ts';
import { audioOf, type FeedItem } from './list-items.ts';
import { titleOf } from './pair-by-content.ts';
import type { ReportDraft } from './report-draft.ts';

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
  const audio = new Set(
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
    ? `the audio of ${found.audio} episodes is the same`
    : `the titles of ${found.titles} episodes are the same`;
  const message = `This looks like your show "${found.title}": ${same}. With --into ${found.slug} it is imported into that show.`;
  report.warn({ reason: 'known_show', message });
}
