import type { Ref } from 'react';
import styles from './chart.module.css';
import { type ChartModel, dashOf } from './chart-model.ts';

const colors = 6;

/** Names the lines. The drawing takes its colors from here. */
export function Legend({
  model,
  ref,
}: {
  readonly model: ChartModel;
  readonly ref: Ref<HTMLUListElement>;
}) {
  const { series, bands = [] } = model;
  return (
    <ul ref={ref} className={styles['legend']}>
      {series.map((line, index) => (
        <li key={line.label}>
          <span
            data-swatch="series"
            data-dashed={dashOf(line, index).length > 0 || undefined}
            aria-hidden="true"
            className={`${styles['swatch']} ${line.look === 'compared' ? styles['compared'] : styles[`color${(index % colors) + 1}`]}`}
          />
          <span dir="auto">{line.label}</span>
        </li>
      ))}
      {bands.map(({ label }, index) => (
        <li key={label}>
          <span
            data-swatch="band"
            aria-hidden="true"
            className={`${styles['swatch']} ${styles['area']} ${styles[`band${index + 1}`]}`}
          />
          {label}
        </li>
      ))}
    </ul>
  );
}
