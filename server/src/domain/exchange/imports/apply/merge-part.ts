import { type Context, transact } from '../../../foundation/context.ts';
import type { ImportRun } from '../import-run.ts';
import { mergeImported } from '../match/known-identities.sql.ts';
import { isPrintChangedHere, type KeptValue, type ValuePrint } from '../plan/imported-values.ts';
import type { ImportedItem } from './import-items.ts';

/** A part of an episode that is fetched after its fields. */
export interface EpisodePart {
  readonly field: string;
  /** For comparison in a later import. */
  readonly here: ValuePrint;
  readonly source: ValuePrint;
  /** Both values for a report; only called if ours stays. */
  words(): Promise<Omit<KeptValue, 'field'>> | Omit<KeptValue, 'field'>;
}

/** Writes the source's value, unless it is the same or ours was changed since the last import. */
export async function mergePart(
  { ctx, report, overwrite }: ImportRun,
  { key, ref, episodeId, known }: Omit<ImportedItem, 'item'>,
  { field, here, source, words }: EpisodePart,
  write: (tx: Context) => Promise<unknown>,
): Promise<void> {
  const brought = source.hash;
  const isSame = here.hash === brought;
  const before = known?.imported ?? null;
  if (isSame && before?.[field] === brought) return;
  const stays = !isSame && isPrintChangedHere({ imported: before, overwrite }, field, here);
  await transact(ctx, async (tx) => {
    if (!isSame && !stays) await write(tx);
    await mergeImported(tx.db, 'episodes', episodeId, { [field]: brought });
  });
  if (stays) report.keep([{ field, ...(await words()) }], ref);
  else if (!isSame) report.outcome(key, 'updated');
}
