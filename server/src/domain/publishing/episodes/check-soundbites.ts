import { isDeepStrictEqual } from 'node:util';
import type { ElementChanges } from '../../../lib/fields/feed-elements.ts';
import type { Context } from '../../foundation/context.ts';
import type { ErrorDetail } from '../../foundation/errors.ts';
import { sayRefusal } from '../../foundation/refusals.ts';
import { readElements } from '../podcasts/index.ts';
import type { Episode } from './episode.ts';
import { selectDurationMs } from './episodes.sql.ts';

/** Durations of feeds are whole seconds, rounded. */
const toleranceSeconds = 1;

/** New soundbites must end before the audio does, if its duration is known. */
export async function checkSoundbites(
  { db }: Context,
  { id, extraElements }: Pick<Episode, 'id' | 'extraElements'>,
  { soundbite: list = [] }: ElementChanges,
): Promise<ErrorDetail[]> {
  const durationMs = list.length === 0 ? undefined : await selectDurationMs(db, id);
  if (durationMs == null) return [];
  const seconds = durationMs / 1000;
  const known = readElements('episode', extraElements).soundbite ?? [];
  return list.flatMap((entry, index) => {
    const { startTime, duration } = entry;
    const isKnown = known.some((one) => isDeepStrictEqual(one, entry));
    if (isKnown || Number(startTime) + Number(duration) <= seconds + toleranceSeconds) return [];
    const said = sayRefusal('soundbite_end', { seconds: Math.round(seconds) });
    return [{ field: `soundbite[${index}].duration`, ...said }];
  });
}
