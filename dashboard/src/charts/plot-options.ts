import type uPlot from 'uplot';
import { type ChartModel, type ChartSeries, dashOf } from './chart-model.ts';

/** Colors as the style sheet resolves them in the present scheme. */
export interface PlotColors {
  readonly ground: string;
  readonly text: string;
  readonly grid: string;
  /** In the order of the series. */
  readonly series: readonly string[];
  readonly bands: readonly string[];
}

export interface PlotPlace {
  readonly width: number;
  readonly height: number;
  readonly isRightToLeft: boolean;
  readonly writeNumber: (value: number) => string;
}

const font = '13px system-ui, sans-serif';
const labelWidth = 76;

type Values = readonly (number | null)[];

interface Drawn {
  readonly line: ChartSeries;
  readonly index: number;
}

/** The last is drawn in front: series that are `above`, then the first series. */
function inOrderOfDrawing(series: readonly ChartSeries[]): Drawn[] {
  return series
    .map((line, index) => ({ line, index }))
    .reverse()
    .sort((a, b) => Number(a.line.look === 'above') - Number(b.line.look === 'above'));
}

/** The lines of a plot in the order of drawing: ends of the bands, open ends of series, series. */
export function toPlotData({ points, series, bands = [] }: ChartModel): uPlot.AlignedData {
  const ends = bands.flatMap(({ low, high }) => [high, low]);
  const drawn = inOrderOfDrawing(series).map(({ line }) => line);
  const lines = [...ends, ...drawn.map(openPart), ...drawn.map(closedPart)];
  return [points.map((_, index) => index), ...lines.map((line) => [...line])];
}

function lastOf({ values }: ChartSeries): number {
  return values.findLastIndex((value) => value !== null);
}

function closedPart(series: ChartSeries): (number | null)[] {
  const last = series.openEnd === undefined ? -1 : lastOf(series);
  return series.values.map((value, index) => (index === last ? null : value));
}

const isAlone = (values: Values) => values.filter((value) => value !== null).length === 1;

/** From the value before the last, so that the lines are connected. */
function openPart(series: ChartSeries): (number | null)[] {
  const last = series.openEnd === undefined ? -2 : lastOf(series);
  return series.values.map((value, index) => (index === last || index === last - 1 ? value : null));
}

export function createPlotOptions(
  model: ChartModel,
  colors: PlotColors,
  place: PlotPlace,
): uPlot.Options {
  const { series, bands = [], points } = model;
  const ends = bands.length * 2;
  const color = (index: number) => colors.series[index] ?? colors.text;
  const showsPoints = points.length <= 40;
  const drawn = inOrderOfDrawing(series);
  const draw = (
    { line, index }: Drawn,
    { values, dash }: { readonly values: Values; readonly dash: readonly number[] },
  ): uPlot.Series => ({
    stroke: color(index),
    width: line.look === 'main' || line.look === 'above' ? 2.5 : 1.75,
    ...(dash.length > 0 && { dash: [...dash] }),
    // One value alone has no line.
    points: { show: isAlone(values) || (showsPoints && dash.length === 0), size: 6 },
  });
  return {
    width: place.width,
    height: place.height,
    // Labels at the ends of the axis need room.
    padding: [12, 36, 0, 20],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      x: { time: false, dir: place.isRightToLeft ? -1 : 1, range: () => [0, lastIndex(points)] },
      y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: createAxes(points, colors, place),
    bands: bands.map((_, index) => ({
      series: [1 + index * 2, 2 + index * 2],
      fill: colors.bands[index] ?? colors.grid,
    })),
    series: [
      {},
      ...Array.from({ length: ends }, (): uPlot.Series => ({ width: 0, points: { show: false } })),
      // The gaps of a line in front show the dashes behind it.
      ...drawn.map((each) => {
        const dash = each.line.look === 'above' ? [3, 9] : [3, 3];
        return draw(each, { values: openPart(each.line), dash });
      }),
      ...drawn.map((each) => {
        const dash = dashOf(each.line, each.index);
        return draw(each, { values: closedPart(each.line), dash });
      }),
    ],
  };
}

/** A chart of one point has a width, too. */
const lastIndex = (points: readonly unknown[]) => Math.max(1, points.length - 1);

function createAxes(
  points: ChartModel['points'],
  colors: PlotColors,
  { width, isRightToLeft, writeNumber }: PlotPlace,
): uPlot.Axis[] {
  const common = { stroke: colors.text, font, ticks: { show: false } };
  const step = Math.max(1, Math.ceil((points.length * labelWidth) / Math.max(1, width - 60)));
  const grid = { stroke: colors.grid, width: 1 };
  return [
    {
      ...common,
      grid: { show: false },
      splits: () => points.map((_, index) => index).filter((index) => index % step === 0),
      values: (_plot, splits) => splits.map((index) => points[index]?.short ?? ''),
    },
    {
      ...common,
      grid,
      side: isRightToLeft ? 1 : 3,
      incrs: [1, 2, 5]
        .flatMap((digit) => [0, 1, 2, 3, 4, 5, 6, 7].map((e) => digit * 10 ** e))
        .sort((a, b) => a - b),
      values: (_plot, splits) => splits.map(writeNumber),
      size: (_plot, values) => 16 + 8 * Math.max(1, ...(values ?? []).map(({ length }) => length)),
    },
  ];
}
