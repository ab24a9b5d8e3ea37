import { createYielder, type MaybeYield } from '../../../../lib/time-slices.ts';
import { addDays, type UtcDay } from '../../../../lib/utc-day.ts';
import { type DomainError, invalid } from '../../../foundation/errors.ts';
import { sayRefusal } from '../../../foundation/refusals.ts';
import { type Columns, findColumns, type Meaning, type MetricColumn } from './find-columns.ts';
import { findOrders } from './find-orders.ts';
import type { PlatformFile, PlatformShow, PlatformSource } from './platform-figures.ts';
import { type CsvRow, readCsv } from './read-csv.ts';
import { DayColumn, type ReadDay, tryParseDay } from './read-day.ts';
import { toHalfWidth, tryParseCount, tryParseSeconds } from './read-figure.ts';
import { type DateReading, type RowFigures, ShowRows } from './show-rows.ts';

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
