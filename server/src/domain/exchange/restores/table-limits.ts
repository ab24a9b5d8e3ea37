import { peopleLimits } from '../../../lib/limits.ts';
import { mostSlugs } from '../../../lib/slug.ts';
import { DomainError } from '../../foundation/errors.ts';
import {
  maxFurtherLanguages,
  maxSegments,
  maxTranscriptBytes,
} from '../../publishing/transcripts/index.ts';
import { type ExportedTable, rowsPath } from '../exports/index.ts';
import type { ColumnTypes } from './check-row-values.ts';
import type { ExportedRow } from './show-export.ts';

/** Of a show that has 100,000 episodes, with a picture and eight credits each. */
export const mostIds = 1_000_000;
/** The sum of a column. JavaScript and the database can add up those of many shows. */
const mostInAll = 1e14;
/** The text that a transcript has in the database may be longer than in its file. */
const mostTranscriptChars = 2 * maxTranscriptBytes;

interface TableLimit {
  /** The columns of those whose rows are counted. */
  readonly of: readonly string[];
  readonly most: number;
  /** The most characters of their bodies. */
  readonly chars?: number;
}

/** What is read as a whole, by the rules of the verbs that write it. */
const limits: Readonly<Record<string, TableLimit>> = {
  podcast_slugs: { of: [], most: mostSlugs },
  podcast_directories: { of: [], most: 1_000 },
  people: { of: [], most: peopleLimits.known },
  episode_slugs: { of: ['episode_id'], most: mostSlugs },
  episode_credits: { of: ['episode_id'], most: peopleLimits.credits },
  transcript_segments: { of: ['episode_id'], most: maxSegments, chars: mostTranscriptChars },
  further_transcripts: { of: ['episode_id'], most: maxFurtherLanguages },
  further_transcript_segments: {
    of: ['episode_id', 'language'],
    most: maxSegments,
    chars: mostTranscriptChars,
  },
  platform_episodes: { of: ['import_id'], most: 20_000 },
};

/** Counts the rows of a table, and throws when there are more than anybody could have made. */
export class TableLimits {
  readonly #table: ExportedTable;
  readonly #limit: TableLimit | undefined;
  readonly #rows = new Map<string, number>();
  readonly #chars = new Map<string, number>();
  readonly #figures: readonly number[];
  readonly #sums: number[];

  constructor(table: ExportedTable, types: ColumnTypes) {
    this.#table = table;
    this.#limit = limits[table.name];
    this.#figures = [...table.columns.keys()].filter(
      (at) => types.get(table.columns[at] ?? '') === 'bigint',
    );
    this.#sums = table.columns.map(() => 0);
  }

  add(row: ExportedRow): void {
    for (const at of this.#figures) {
      const sum = (this.#sums[at] ?? 0) + Number(row[at] ?? 0);
      this.#sums[at] = sum;
      if (!(sum <= mostInAll)) throw this.#refuse(`the sum of ${this.#table.columns[at]}`);
    }
    if (this.#limit === undefined) return;
    const { of, most, chars = Number.POSITIVE_INFINITY } = this.#limit;
    const value = (column: string) => row[this.#table.columns.indexOf(column)] ?? '';
    const owner = of.map(value).join(' ');
    const add = (sums: Map<string, number>, added: number) => {
      const sum = (sums.get(owner) ?? 0) + added;
      sums.set(owner, sum);
      return sum;
    };
    if (add(this.#rows, 1) > most || this.#rows.size > mostIds) throw this.#refuse('their number');
    if (add(this.#chars, value('body').length) > chars) throw this.#refuse('their text');
  }

  #refuse(what: string): DomainError {
    const path = rowsPath(this.#table.name);
    return new DomainError(
      'invalid',
      `The export has more in ${path} than any show: ${what} exceeds the limit. Nothing was restored.`,
    );
  }
}
