import { createYielder, type MaybeYield } from '../../../lib/time-slices.ts';
import { invalid } from '../../errors.ts';
import { type Columns, findColumns, type Meaning, type MetricColumn } from './find-columns.ts';
import type { PlatformFile, PlatformShow, PlatformSource } from './platform-figures.ts';
import { type CsvRow, readCsv } from './read-csv.ts';
import { DayColumn, type ReadDay } from './read-day.ts';
import { tryParseCount, tryParseSeconds } from './read-figure.ts';
import { type RowFigures, ShowRows } from './show-rows.ts';

const mostRows = 200_000;
const mostShows = 100;

/**
 * Reads an export of a platform. Refuses any other file, a figure that cannot be read, and a file
 * with more than 200,000 rows, 20,000 episodes or 100 shows.
 */
export async function readPlatformFile(
  file: AsyncIterable<Uint8Array>,
  source: PlatformSource,
): Promise<PlatformFile> {
  const maybeYield = createYielder();
  const reading = new Reading(maybeYield);
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
  readonly #maybeYield: MaybeYield;
  readonly #shows = new Map<string, ShowRows>();
  readonly #days = new DayColumn();
  readonly #releases = new DayColumn();
  readonly #dates = new Map<string, ReadDay | undefined>();
  #rows = 0;

  constructor(maybeYield: MaybeYield) {
    this.#maybeYield = maybeYield;
  }

  add({ cells, line }: CsvRow, columns: Columns): void {
    this.#rows += 1;
    if (this.#rows > mostRows) {
      throw invalid('file', `The file has more than ${mostRows.toLocaleString('en')} rows.`);
    }
    const cell = (meaning: Meaning) => {
      const index = columns.places.get(meaning)?.index;
      return index === undefined ? '' : cleanText(cells[index] ?? '');
    };
    const date = cell('date');
    if (date !== '' && !this.#dates.has(date)) this.#dates.set(date, this.#days.add(date));
    const figures: RowFigures = {};
    for (const column of columns.metrics) {
      const value = readFigure(cells[column.index] ?? '', column, line);
      if (value !== null) figures[column.metric] = value;
    }
    this.#showOf(cell('show')).add({
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
      throw invalid('file', `The file has more than ${mostShows} shows.`);
    }
    return show;
  }

  async result(): Promise<PlatformFile> {
    const shows: PlatformShow[] = [];
    for (const [name, rows] of this.#shows) {
      const figures = await rows.result(
        (date) => this.#days.resolve(this.#dates.get(date)),
        (release) => this.#releases.resolve(release),
        this.#maybeYield,
      );
      shows.push({ name: name === '' ? undefined : name, ...figures });
    }
    return { rows: this.#rows, asOf: await this.#lastDay(), shows };
  }

  async #lastDay(): Promise<string | null> {
    let last: string | null = null;
    for (const date of this.#dates.values()) {
      const day = this.#days.resolve(date);
      if (day !== undefined && (last === null || day > last)) last = day;
      await this.#maybeYield();
    }
    return last;
  }
}

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
  const [column, found] = [cleanText(header).slice(0, 40), cleanText(text).slice(0, 40)];
  const isChange = metric === 'followers' && /^[-\u2212+]/.test(found);
  const reason = isChange ? 'is a change, not a number of followers' : 'is not a figure';
  throw invalid('file', `Line ${line}, column "${column}": "${found}" ${reason}.`);
}
