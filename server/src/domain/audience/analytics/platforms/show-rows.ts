import type { MaybeYield } from '../../../../lib/time-slices.ts';
import type { UtcDay } from '../../../../lib/utc-day.ts';
import { type DomainError, invalid } from '../../../foundation/errors.ts';
import { sayRefusal } from '../../../foundation/refusals.ts';
import type {
  PlatformEntry,
  PlatformFigures,
  PlatformMetric,
  PlatformShow,
} from './platform-figures.ts';
import type { ReadDay } from './read-day.ts';

export type RowFigures = Partial<Record<PlatformMetric, number>>;

export interface FileRow {
  readonly line: number;
  readonly guid: string;
  readonly platformId: string;
  readonly title: string;
  readonly releasedOn: ReadDay | undefined;
  /** As the file writes it; empty if it has none. */
  readonly date: string;
  readonly figures: RowFigures;
}

/** Says which day a date of the file is; undefined for a row without one. */
export type DateReading = (date: string) => UtcDay | undefined;

/** These may be added up over days and episodes. People may not: a sum counts some of them twice. */
const additive: readonly PlatformMetric[] = ['plays', 'streams', 'timeListenedSeconds'];

const mostEntries = 20_000;

interface Entry extends Pick<FileRow, 'guid' | 'title' | 'releasedOn'> {
  readonly rows: Rows;
}

/** The rows of one show: all of the whole show, or each of an episode. */
export class ShowRows {
  readonly #own = new Rows();
  /** The first with figures and without an episode. */
  #ownLine: number | undefined;
  readonly #entries = new Map<string, Entry>();

  add(row: FileRow): void {
    const { guid, platformId, title, releasedOn } = row;
    if (title === '' && guid === '' && platformId === '') {
      this.#own.add(row);
      if (Object.keys(row.figures).length > 0) this.#ownLine ??= row.line;
      return;
    }
    const key = guid || platformId || JSON.stringify([title, releasedOn]);
    const known = this.#entries.get(key);
    const entry = known ?? {
      guid,
      title: title || guid || platformId,
      releasedOn,
      rows: new Rows(),
    };
    if (known === undefined) this.#entries.set(key, entry);
    if (this.#entries.size > mostEntries) {
      throw invalid('file', sayRefusal('platform_episodes', { max: mostEntries }));
    }
    entry.rows.add(row);
  }

  /** `readings`: one for each order of day and month that the dates of the file may have. */
  async result(
    readings: readonly DateReading[],
    releaseOf: (day: ReadDay | undefined) => string | undefined,
    maybeYield: MaybeYield,
  ): Promise<Pick<PlatformShow, 'showMetrics' | 'entries'>> {
    const entries: PlatformEntry[] = [];
    for (const { guid, title, releasedOn, rows } of this.#entries.values()) {
      entries.push({
        guid: guid === '' ? undefined : guid,
        title,
        releasedOn: releaseOf(releasedOn),
        metrics: await rows.figures(readings, maybeYield),
      });
      await maybeYield();
    }
    if (entries.length === 0) {
      return { showMetrics: await this.#own.figures(readings, maybeYield), entries };
    }
    if (this.#ownLine !== undefined) throw refuseMixed(this.#ownLine);
    return { showMetrics: addUp(entries), entries };
  }
}

/** The line may be a total, or an episode that would be missing in the sums. */
function refuseMixed(line: number): DomainError {
  return invalid('file', sayRefusal('platform_mixed_lines', { line }));
}

function addUp(entries: readonly PlatformEntry[]): PlatformFigures {
  const sums: RowFigures = {};
  for (const { metrics } of entries) {
    for (const metric of additive) {
      const value = metrics[metric];
      if (value !== undefined) sums[metric] = plus(sums[metric], value);
    }
  }
  return sums;
}

function plus(sum: number | undefined, value: number): number {
  const total = (sum ?? 0) + value;
  if (Number.isSafeInteger(total)) return total;
  throw invalid('file', sayRefusal('platform_sums'));
}

/** Rows of one show or one episode: one row, or one for each day or month. */
class Rows {
  #count = 0;
  readonly #sums: RowFigures = {};
  #first: RowFigures = {};
  /** By date as the file writes it; null if two rows of one date differ. */
  readonly #followers = new Map<string, number | null>();

  add({ date, figures }: FileRow): void {
    this.#count += 1;
    if (this.#count === 1) this.#first = figures;
    for (const metric of additive) {
      const value = figures[metric];
      if (value !== undefined) this.#sums[metric] = plus(this.#sums[metric], value);
    }
    const { followers } = figures;
    if (followers === undefined) return;
    const before = this.#followers.get(date);
    const differs = before !== undefined && before !== followers;
    this.#followers.set(date, differs ? null : followers);
  }

  async figures(
    readings: readonly DateReading[],
    maybeYield: MaybeYield,
  ): Promise<PlatformFigures> {
    const { followers: _, ...rest } = this.#count === 1 ? this.#first : this.#sums;
    const followers = await this.#lastFollowers(readings, maybeYield);
    return followers === null ? rest : { ...rest, followers };
  }

  /** Followers are a level: the last day's count. Null if the file does not tell. */
  async #lastFollowers(
    readings: readonly DateReading[],
    maybeYield: MaybeYield,
  ): Promise<number | null> {
    if (this.#followers.size === 1) return [...this.#followers.values()][0] ?? null;
    const found = new Set<number | null>();
    for (const dayOf of readings) found.add(await this.#lastFollowersIn(dayOf, maybeYield));
    const [followers = null] = found;
    return found.size === 1 ? followers : null;
  }

  async #lastFollowersIn(dayOf: DateReading, maybeYield: MaybeYield): Promise<number | null> {
    let last: { readonly day: UtcDay; readonly followers: number | null } | undefined;
    for (const [date, followers] of this.#followers) {
      await maybeYield();
      const day = dayOf(date);
      if (day === undefined) continue;
      if (last === undefined || day > last.day) last = { day, followers };
      // One day in two forms.
      else if (day === last.day && followers !== last.followers) last = { day, followers: null };
    }
    return last?.followers ?? null;
  }
}
