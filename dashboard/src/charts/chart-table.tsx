import { formatNumber } from '../lib/format.ts';
import styles from './chart.module.css';
import { type ChartModel, columnsOf, noteOf } from './chart-model.ts';

/** The figures of a chart as a table. */
export function ChartTable({ model }: { readonly model: ChartModel }) {
  const columns = columnsOf(model);
  return (
    // A long table scrolls by keyboard, too.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable.
    <section className={`sideways ${styles['tablePlace']}`} tabIndex={0} aria-label={model.title}>
      <table className={styles['table']}>
        <caption className="unseen">{model.summary}</caption>
        <thead>
          <tr>
            <th scope="col">{model.pointHeading}</th>
            {columns.map(({ label }) => (
              <th key={label} scope="col" dir="auto">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {model.points.map(({ label }, index) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {columns.map((column) => (
                <td key={column.label}>
                  {format(column.values[index])}
                  {noteOf(column, index) !== undefined && (
                    <span className="meta"> ({noteOf(column, index)})</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const format = (value: number | null | undefined) =>
  value === null || value === undefined ? '–' : formatNumber(value);
