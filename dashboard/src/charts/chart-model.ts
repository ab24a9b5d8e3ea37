import type { CsvCell } from '../lib/csv.ts';

/** The data of a chart and of the table beside it. */
export interface ChartModel {
  readonly title: string;
  /** A summary in one or two sentences. */
  readonly summary: string;
  /** Heading of the first column: what a point is. */
  readonly pointHeading: string;
  /** In a file; default: `pointHeading`. */
  readonly fileHeadings?: readonly string[];
  readonly points: readonly ChartPoint[];
  readonly series: readonly ChartSeries[];
  /** Ranges, the widest first; drawn behind the series. */
  readonly bands?: readonly ChartBand[];
}

export interface ChartPoint {
  readonly label: string;
  /** For the axis. */
  readonly short: string;
  /** In a file, below the `fileHeadings`; default: the label. */
  readonly fileCells?: readonly CsvCell[];
}

type Values = readonly (number | null)[];

export interface ChartSeries {
  readonly label: string;
  readonly values: Values;
  /**
   * Default: a line of its own color. `above`: dashed and in front of the others, so that a line
   * with almost equal values is seen through its gaps.
   */
  readonly look?: 'main' | 'compared' | 'above';
  /** The last value is not final: its line is dashed, and its words say so. */
  readonly openEnd?: string | undefined;
}

/** Dashes tell lines apart where colors do not. */
const dashes: readonly (readonly number[])[] = [[], [8, 4], [2, 4], [10, 4, 2, 4], [4, 4]];

/** Lengths of a line's dashes and gaps; empty: the line is solid. */
export function dashOf({ look }: ChartSeries, index: number): readonly number[] {
  if (look === 'compared') return [6, 4];
  return look === 'above' ? [10, 10] : (dashes[index % dashes.length] ?? []);
}

export interface ChartBand {
  readonly label: string;
  readonly low: Values;
  readonly high: Values;
  readonly lowLabel: string;
  readonly highLabel: string;
}

interface Column {
  readonly label: string;
  readonly values: Values;
  readonly openEnd?: string | undefined;
}

/** The columns of the table: the series, then the bounds of the ranges. */
export function columnsOf({ series, bands = [] }: ChartModel): Column[] {
  const ends = bands.flatMap(({ low, high, lowLabel, highLabel }) => [
    { label: lowLabel, values: low },
    { label: highLabel, values: high },
  ]);
  return [...series, ...ends];
}

/** The note at a value that is not final. */
export function noteOf(column: Column, index: number): string | undefined {
  const last = column.values.findLastIndex((value) => value !== null);
  return index === last ? column.openEnd : undefined;
}

export function toCsvRows(model: ChartModel): CsvCell[][] {
  const columns = columnsOf(model);
  const head = [
    ...(model.fileHeadings ?? [model.pointHeading]),
    ...columns.map(({ label }) => label),
  ];
  const rows = model.points.map(({ label, fileCells = [label] }, index) => [
    ...fileCells,
    ...columns.map(({ values }) => values[index] ?? null),
  ]);
  return [head, ...rows];
}

export const isEmpty = ({ series, bands = [] }: ChartModel): boolean =>
  [...series.map(({ values }) => values), ...bands.map(({ high }) => high)].every((values) =>
    values.every((value) => value === null || value === 0),
  );
