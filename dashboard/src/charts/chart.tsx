import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, type Ref, Suspense, useRef, useState } from 'react';
import type uPlot from 'uplot';
import { Button } from '../components/button.tsx';
import { Loading } from '../components/loading.tsx';
import { Menu } from '../components/menu.tsx';
import { writeCsv } from '../lib/csv.ts';
import { formatNumber } from '../lib/format.ts';
import { type FileSubject, fileNameAbout, saveFile } from '../lib/save-file.ts';
import styles from './chart.module.css';
import { type ChartModel, columnsOf, dashOf, noteOf, toCsvRows } from './chart-model.ts';

// Loaded when needed, because no other screen uses its library.
const Plot = lazy(async () => ({ default: (await import('./plot.tsx')).Plot }));

interface Props {
  readonly model: ChartModel;
  /** For the files. */
  readonly subject: FileSubject;
}

/** A chart with its summary, the same figures as a table, and both as files. */
export function Chart({ model, subject }: Props) {
  const { t } = useLingui();
  const [showsTable, setShowsTable] = useState(false);
  const legend = useRef<HTMLUListElement>(null);
  const plot = useRef<uPlot | null>(null);
  return (
    <figure className={styles['chart']} aria-label={model.title}>
      <figcaption className={styles['summary']}>{model.summary}</figcaption>
      <div className={styles['tools']}>
        <Button size="small" aria-pressed={showsTable} onPress={() => setShowsTable(!showsTable)}>
          {showsTable ? <Trans>Show as a chart</Trans> : <Trans>Show as a table</Trans>}
        </Button>
        <SaveMenu
          model={model}
          subject={subject}
          savePicture={
            showsTable
              ? undefined
              : async () => {
                  const { savePicture } = await import('./save-picture.ts');
                  if (plot.current && legend.current) {
                    savePicture(model, subject, plot.current, legend.current);
                  }
                }
          }
        />
      </div>
      {showsTable ? (
        <ChartTable model={model} />
      ) : (
        <>
          <Legend model={model} ref={legend} />
          <Suspense fallback={<Loading label={t`Loading the chart…`} />}>
            <Plot model={model} legend={legend} plot={plot} />
          </Suspense>
        </>
      )}
    </figure>
  );
}

interface SaveProps extends Props {
  /** Undefined: nothing is drawn yet. */
  readonly savePicture: (() => Promise<void>) | undefined;
}

function SaveMenu({ model, subject, savePicture }: SaveProps) {
  const { t } = useLingui();
  const saveTable = () =>
    saveFile(
      fileNameAbout(subject, model.title, 'csv'),
      new Blob([writeCsv(toCsvRows(model))], { type: 'text/csv' }),
    );
  return (
    <Menu
      label={t`Save what this shows`}
      kind="plain"
      size="small"
      trigger={<Trans>Save</Trans>}
      actions={[
        { id: 'csv', label: t`Table (CSV)`, act: saveTable },
        ...(savePicture === undefined
          ? []
          : [{ id: 'png', label: t`Picture (PNG)`, act: () => void savePicture() }]),
      ]}
    />
  );
}

/** The figures of a chart as a table. */
function ChartTable({ model }: { readonly model: ChartModel }) {
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

const colors = 6;

/** Names the lines. The drawing takes its colors from here. */
function Legend({
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
