import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { watchColorScheme } from '../lib/color-scheme.ts';
import { formatNumber, formatNumberRange } from '../lib/format.ts';
import { formatCompact } from '../lib/format-days.ts';
import styles from './chart.module.css';
import { type ChartModel, noteOf } from './chart-model.ts';
import { createPlotOptions, type PlotColors, toPlotData } from './plot-options.ts';

interface Props {
  readonly model: ChartModel;
  /** The legend, whose swatches have the colors of the lines. */
  readonly legend: RefObject<HTMLElement | null>;
  /** For pictures of the chart. */
  readonly plot: RefObject<uPlot | null>;
}

const height = 260;

/** The drawing of a chart. Arrow keys go from point to point, which a screen reader reads as a slider. */
export function Plot({ model, legend, plot }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const [index, setIndex] = useState<number | null>(null);
  useDrawing({ host, legend, plot, model, onPoint: setIndex });
  const last = model.points.length - 1;
  // At first, the newest value of the first line.
  const newest = model.series[0]?.values.findLastIndex((value) => value !== null) ?? -1;
  const at = Math.min(index ?? (newest === -1 ? last : newest), last);
  const move = (event: KeyboardEvent) => {
    const next = findNext(event, at, last, isRightToLeft());
    if (next === undefined) return;
    event.preventDefault();
    plot.current?.setCursor({ left: plot.current.valToPos(next, 'x'), top: 0 });
    setIndex(next);
  };
  return (
    <>
      <div
        ref={host}
        className={styles['plot']}
        role="slider"
        tabIndex={0}
        aria-label={model.title}
        aria-valuemin={1}
        aria-valuemax={last + 1}
        aria-valuenow={at + 1}
        aria-valuetext={describePoint(model, at)}
        onKeyDown={move}
      />
      <p className={styles['readout']} aria-hidden="true">
        {describePoint(model, at)}
      </p>
    </>
  );
}

const isRightToLeft = () => document.documentElement.dir === 'rtl';

function findNext(
  { key }: KeyboardEvent,
  at: number,
  last: number,
  isReversed: boolean,
): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: isReversed ? -1 : 1,
    ArrowLeft: isReversed ? 1 : -1,
    ArrowUp: 1,
    ArrowDown: -1,
    PageUp: 7,
    PageDown: -7,
    Home: -last,
    End: last,
  };
  const step = steps[key];
  return step === undefined ? undefined : Math.min(last, Math.max(0, at + step));
}

function describePoint(model: ChartModel, index: number): string {
  const { points, series, bands = [] } = model;
  const values = series.flatMap((line) => {
    const value = line.values[index] ?? null;
    if (value === null) return [];
    const note = noteOf(line, index);
    return [`${line.label} ${formatNumber(value)}${note === undefined ? '' : ` (${note})`}`];
  });
  const ranges = bands.flatMap(({ label, low, high }) => {
    const [from = null, to = null] = [low[index], high[index]];
    return from === null || to === null ? [] : [`${label} ${formatNumberRange(from, to)}`];
  });
  return [points[index]?.label ?? '', ...values, ...ranges].join(' · ');
}

interface Drawing extends Props {
  readonly host: RefObject<HTMLDivElement | null>;
  readonly onPoint: (index: number) => void;
}

/** Draws again for other figures, another width, and another color scheme. */
function useDrawing({ host, legend, plot, model, onPoint }: Drawing): void {
  useEffect(() => {
    const place = host.current;
    if (place === null) return;
    const draw = () => {
      plot.current?.destroy();
      const options = createPlotOptions(model, readColors(place, legend.current), {
        width: Math.max(200, place.clientWidth),
        height,
        isRightToLeft: isRightToLeft(),
        writeNumber: formatCompact,
      });
      plot.current = new uPlot(options, toPlotData(model), place);
      plot.current.over.addEventListener('mousemove', () => {
        const { idx } = plot.current?.cursor ?? {};
        if (typeof idx === 'number') onPoint(idx);
      });
    };
    draw();
    const unwatch = watchColorScheme(draw);
    const observer = new ResizeObserver(() => {
      if (plot.current?.width !== Math.max(200, place.clientWidth)) draw();
    });
    observer.observe(place);
    return () => {
      observer.disconnect();
      unwatch();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [host, legend, plot, model, onPoint]);
}

function readColors(place: HTMLElement, legend: HTMLElement | null): PlotColors {
  const { color, backgroundColor, borderBlockEndColor } = getComputedStyle(place);
  const colorsOf = (kind: string) =>
    [...(legend?.querySelectorAll(`[data-swatch=${kind}]`) ?? [])].map(
      (swatch) => getComputedStyle(swatch).color,
    );
  return {
    ground: backgroundColor,
    text: color,
    grid: borderBlockEndColor,
    series: colorsOf('series'),
    bands: colorsOf('band'),
  };
}
