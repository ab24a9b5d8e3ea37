import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useRef, useState } from 'react';
import type uPlot from 'uplot';
import { Button } from '../components/button.tsx';
import { Loading } from '../components/loading.tsx';
import { Menu } from '../components/menu.tsx';
import { writeCsv } from '../lib/csv.ts';
import { type FileSubject, fileNameAbout, saveFile } from '../lib/save-file.ts';
import styles from './chart.module.css';
import { type ChartModel, toCsvRows } from './chart-model.ts';
import { ChartTable } from './chart-table.tsx';
import { Legend } from './legend.tsx';

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
