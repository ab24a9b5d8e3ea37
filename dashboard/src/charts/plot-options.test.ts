import { expect, it } from 'vitest';
import { type ChartModel, isEmpty, noteOf, toCsvRows } from './chart-model.ts';
import { createPlotOptions, toPlotData } from './plot-options.ts';

const model: ChartModel = {
  title: 'Downloads',
  summary: '',
  pointHeading: 'Day',
  points: ['Mon', 'Tue', 'Wed'].map((label) => ({ label, short: label })),
  series: [
    { label: 'Now', values: [3, 4, 1], look: 'main', openEnd: 'not over' },
    { label: 'Before', values: [1, 2, null], look: 'compared' },
  ],
  bands: [{ label: 'Usual', low: [1, 1, 1], high: [5, 6, 7], lowLabel: 'from', highLabel: 'to' }],
};
const colors = { ground: '', text: 'grey', grid: '', series: ['red'], bands: ['blue'] };
const place = { width: 400, height: 200, isRightToLeft: false, writeNumber: String };

it('draws an unfinished value from the one before it', () => {
  const none = [null, null, null];
  expect(toPlotData(model)).toEqual([
    [0, 1, 2],
    [5, 6, 7],
    [1, 1, 1],
    none,
    [null, 4, 1],
    [1, 2, null],
    [3, 4, null],
  ]);
});

it('a plot has an option for each line of the data', () => {
  const { series, bands } = createPlotOptions(model, colors, place);
  expect(series).toHaveLength(toPlotData(model).length);
  expect(bands).toEqual([{ series: [1, 2], fill: 'blue' }]);
});

it('draws a dot for an unfinished value that has none before it', () => {
  const points = Array.from({ length: 90 }, () => ({ label: '', short: '' }));
  const values = points.map((_, day) => (day === 0 ? 3 : null));
  const first = {
    ...model,
    bands: [],
    points,
    series: [{ label: 'Now', values, openEnd: 'open' }],
  };
  expect(toPlotData(first).slice(1)).toEqual([values, values.map(() => null)]);
  const dots = createPlotOptions(first, colors, place).series.map(({ points }) => points?.show);
  expect(dots).toEqual([undefined, true, false]);
});

it('runs from the right in languages from right to left', () => {
  const options = createPlotOptions(model, colors, { ...place, isRightToLeft: true });
  expect([options.scales?.['x']?.dir, options.axes?.[1]?.side]).toEqual([-1, 1]);
});

it('draws a dashed line in front, through which an equal line is seen', () => {
  const values = [3, 4, 1];
  const above = {
    ...model,
    bands: [],
    series: [
      { label: 'Downloads', values, look: 'main' },
      { label: 'Listeners', values: [3, 4, 0], look: 'above' },
      { label: 'Before', values: [1, 2, 3], look: 'compared' },
    ],
  } as const;
  expect(toPlotData(above).slice(4)).toEqual([[1, 2, 3], values, [3, 4, 0]]);
  const three = { ...colors, series: ['red', 'orange', 'grey'] };
  const { series } = createPlotOptions(above, three, place);
  expect(series.slice(4).map(({ stroke, dash }) => [stroke, dash])).toEqual([
    ['grey', [6, 4]],
    ['red', undefined],
    ['orange', [10, 10]],
  ]);
});

it('a plot has a table of the same figures', () => {
  expect(toCsvRows(model)).toEqual([
    ['Day', 'Now', 'Before', 'from', 'to'],
    ['Mon', 3, 1, 1, 5],
    ['Tue', 4, 2, 1, 6],
    ['Wed', 1, null, 1, 7],
  ]);
  const [first, second] = toCsvRows({
    ...model,
    fileHeadings: ['From', 'To'],
    points: [{ label: 'October', short: 'Oct', fileCells: ['2026-10-26', '2026-10-31'] }],
  });
  expect([first?.slice(0, 3), second?.slice(0, 3)]).toEqual([
    ['From', 'To', 'Now'],
    ['2026-10-26', '2026-10-31', 3],
  ]);
  const [now, before] = model.series;
  expect(now && [1, 2].map((index) => noteOf(now, index))).toEqual([undefined, 'not over']);
  expect(before && noteOf(before, 1)).toBeUndefined();
});

it('a plot is empty without any figure', () => {
  const series = [{ label: 'Now', values: [0, null, 0] }];
  expect([isEmpty(model), isEmpty({ ...model, series, bands: [] })]).toEqual([false, true]);
});
