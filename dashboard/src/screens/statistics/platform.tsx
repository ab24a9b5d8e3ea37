import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type PlatformFigures, type PlatformSource, platformQuery } from '../../api/platforms.ts';
import { Button } from '../../components/button.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { formatDateTime } from '../../lib/format.ts';
import { formatDay } from '../../lib/format-days.ts';
import { useShow } from '../../shell/use-show.ts';
import { ImportFile } from './import-file.tsx';
import { PlatformTable } from './platform-table.tsx';
import styles from './statistics.module.css';
import { Totals } from './totals.tsx';
import { useMetrics } from './use-metrics.ts';

interface Props {
  readonly podcastId: string;
  readonly source: PlatformSource;
  readonly name: string;
}

/** The last import of a platform, and a place for the next one. */
export function Platform({ podcastId, source, name }: Props) {
  const query = useInfiniteQuery(platformQuery(podcastId, source));
  const mayImport = useShow(podcastId)?.capabilities.includes('show.import') === true;
  const last = query.data?.pages[0]?.data;
  return (
    <section className={styles['part']} aria-labelledby={source}>
      <h2 id={source}>{name}</h2>
      <QueryView query={query}>
        {({ pages }) => (
          <>
            {pages[0] !== undefined && <Imported figures={pages[0].data} />}
            <PlatformTable
              podcastId={podcastId}
              name={name}
              episodes={pages.flatMap(({ data }) => data.episodes)}
            />
          </>
        )}
      </QueryView>
      {query.hasNextPage && (
        <Button isPending={query.isFetchingNextPage} onPress={() => query.fetchNextPage()}>
          <Trans>More episodes</Trans>
        </Button>
      )}
      {mayImport && last?.included_in_plan === true && (
        <ImportFile {...{ podcastId, source, name }} metrics={last.show_metrics} />
      )}
      {mayImport && last?.included_in_plan === false && (
        <p className="meta">
          <Trans>
            The plan of this show does not include figures of other platforms, so no file can be
            imported.
          </Trans>
        </p>
      )}
    </section>
  );
}

function Imported({ figures }: { readonly figures: PlatformFigures }) {
  const { t } = useLingui();
  const metrics = useMetrics(figures.show_metrics);
  if (figures.imported_at === null) {
    return (
      <p className="meta">
        <Trans>Nothing was imported yet.</Trans>
      </p>
    );
  }
  const imported = formatDateTime(figures.imported_at);
  return (
    <>
      <p className="meta">
        {figures.as_of === null
          ? t`Imported ${imported}.`
          : t`Imported ${imported}; figures until ${formatDay(figures.as_of)}.`}
      </p>
      <Totals figures={metrics} />
    </>
  );
}
