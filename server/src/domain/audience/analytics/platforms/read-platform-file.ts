import { createYielder, type MaybeYield } from '../../../../lib/time-slices.ts';
import { addDays, type UtcDay } from '../../../../lib/utc-day.ts';
import { type DomainError, invalid } from '../../../foundation/errors.ts';
import { sayRefusal } from '../../../foundation/refusals.ts';
import {
  type Columns,
  findColumns,
  findOrders,
  type Meaning,
  type MetricColumn,
} from './find-columns.ts';
import type {
  PlatformEntry,
  PlatformFigures,
  PlatformFile,
  PlatformMetric,
  PlatformShow,
  PlatformSource,
} from './platform-figures.ts';
import { type CsvRow, readCsv } from './read-csv.ts';
import { DayColumn, type ReadDay, tryParseDay } from './read-day.ts';
import { toHalfWidth, tryParseCount, tryParseSeconds } from './read-figure.ts';

const mostRows = 200_000;
const mostShows = 100;

/**
 * Reads an export of a platform. Refuses any other file, a figure or a date that cannot be read, a
 * date in the future, and a file with more than 200,000 rows, 20,000 episodes or 100 shows.
 */
export async function readPlatformFile(
  file: AsyncIterable<Uint8Array>,
  source: PlatformSource,
  today: UtcDay,
): Promise<PlatformFile> {
  const maybeYield = createYielder();
  const reading = new Reading(today, maybeYield);
  let columns: Columns | undefined;
  for await (const row of readCsv(file)) {
    if (columns === undefined) columns = findColumns(row.cells, source);
    else reading.add(row, columns);
    await maybeYield();
  }
  // An empty file has no header.
  if (columns === undefined) findColumns([], source);
  return await reading.result();
}

class Reading {
  readonly #today: UtcDay;
  readonly #latest: UtcDay;
  readonly #maybeYield: MaybeYield;
  readonly #shows = new Map<string, ShowRows>();
  readonly #releases = new DayColumn();
  /** By date as the file writes it. */
  readonly #dates = new Map<string, ReadDay>();
  #rows = 0;

  constructor(today: UtcDay, maybeYield: MaybeYield) {
    this.#today = today;
    // Where the file comes from, tomorrow may have begun.
    this.#latest = addDays(today, 1);
    this.#maybeYield = maybeYield;
  }

  add({ cells, line }: CsvRow, columns: Columns): void {
    this.#rows += 1;
    if (this.#rows > mostRows) {
      throw invalid('file', sayRefusal('platform_rows', { max: mostRows }));
    }
    const cell = (meaning: Meaning) => {
      const index = columns.places.get(meaning)?.index;
      return index === undefined ? '' : cleanText(cells[index] ?? '');
    };
    const written = cell('date');
    const date = missing.test(written) ? '' : written;
    if (date !== '' && !this.#dates.has(date)) {
      const day = tryParseDay(date, this.#latest);
      if (day === undefined) throw refuseDate(date, columns, line);
      this.#dates.set(date, day);
    }
    const figures: RowFigures = {};
    for (const column of columns.metrics) {
      const value = readFigure(cells[column.index] ?? '', column, line);
      if (value !== null) figures[column.metric] = value;
    }
    this.#showOf(cell('show')).add({
      line,
      guid: cell('guid'),
      platformId: cell('platformId'),
      title: cell('title'),
      releasedOn: this.#releases.add(cell('releasedOn')),
      date,
      figures,
    });
  }

  #showOf(name: string): ShowRows {
    const show = this.#shows.get(name) ?? new ShowRows();
    this.#shows.set(name, show);
    if (this.#shows.size > mostShows) {
      throw invalid('file', sayRefusal('platform_shows', { max: mostShows }));
    }
    return show;
  }

  async result(): Promise<PlatformFile> {
    const orders = await findOrders(this.#dates.values(), this.#maybeYield);
    const readings = orders.map(
      (order): DateReading =>
        (date) =>
          this.#dates.get(date)?.[order],
    );
    const shows: PlatformShow[] = [];
    for (const [name, rows] of this.#shows) {
      const figures = await rows.result(
        readings,
        (release) => this.#releases.resolve(release),
        this.#maybeYield,
      );
      shows.push({ name: name === '' ? undefined : name, ...figures });
    }
    return { rows: this.#rows, asOf: await this.#lastDay(readings), shows };
  }

  async #lastDay(readings: readonly DateReading[]): Promise<UtcDay | null> {
    const lasts = new Set<UtcDay>();
    for (const dayOf of readings) {
      let last: UtcDay = '';
      for (const date of this.#dates.keys()) {
        const day = dayOf(date) ?? '';
        if (day > last) last = day;
        await this.#maybeYield();
      }
      lasts.add(last);
    }
    const [last = ''] = lasts;
    // A day or a month that is not over: the file does not say how far the figures reach.
    return lasts.size !== 1 || last === '' || last > this.#today ? null : last;
  }
}

/** A cell of dates that has none: `-`, `NaN` or nothing. */
const missing = /^(?:[^\p{L}\p{N}]*|nan)$/iu;

const longestText = 500;

/** The database takes no NUL and no half of a surrogate pair. */
function cleanText(text: string): string {
  const short = text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, longestText);
  return short.toWellFormed();
}

function readFigure(text: string, { metric, header, unit }: MetricColumn, line: number) {
  const value =
    metric === 'timeListenedSeconds' ? tryParseSeconds(text, unit) : tryParseCount(text);
  if (value !== undefined && (value === null || Number.isSafeInteger(value))) return value;
  const isChange = metric === 'followers' && /^[-\u2212+]/.test(toHalfWidth(cleanText(text)));
  throw refuseCell(text, isChange ? 'platform_followers_change' : 'platform_figure', header, line);
}

function refuseDate(text: string, { places }: Columns, line: number): DomainError {
  const key = tryParseDay(text) === undefined ? 'platform_date' : 'platform_future_date';
  return refuseCell(text, key, places.get('date')?.header ?? '', line);
}

type CellRefusal =
  | 'platform_figure'
  | 'platform_followers_change'
  | 'platform_date'
  | 'platform_future_date';

function refuseCell(text: string, key: CellRefusal, header: string, line: number): DomainError {
  const [column, found] = [cleanText(header).slice(0, 40), cleanText(text).slice(0, 40)];
  return invalid('file', sayRefusal(key, { line, column, found }));
}

type RowFigures = Partial<Record<PlatformMetric, number>>;

interface FileRow {
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
type DateReading = (date: string) => UtcDay | undefined;

/** These may be added up over days and episodes. People may not: a sum counts some of them twice. */
const additive: readonly PlatformMetric[] = ['plays', 'streams', 'timeListenedSeconds'];

const mostEntries = 20_000;

interface Entry extends Pick<FileRow, 'guid' | 'title' | 'releasedOn'> {
  readonly rows: Rows;
}

/** The rows of one show: all of the whole show, or each of an episode. */
class ShowRows {
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
