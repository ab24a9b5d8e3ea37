import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Explanation as Explained, explanationQuery } from '../../api/analytics.ts';
import { Button } from '../../components/button.tsx';
import { QueryView } from '../../components/query-view.tsx';
import { formatNumber } from '../../lib/format.ts';
import { formatShortDay } from '../../lib/format-days.ts';
import styles from './statistics.module.css';

/** Explains a figure by the results of its requests, for the days that still have them. */
export function Explanation({ episodeId }: { readonly episodeId: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={styles['part']} aria-labelledby="why">
      <h2 id="why">
        <Trans>Why this number?</Trans>
      </h2>
      <p>
        <Trans>
          Not every request for the audio is a download. Requests are kept for today and the two
          days before it; after that only sums are left.
        </Trans>
      </p>
      {isOpen ? (
        <Loaded episodeId={episodeId} />
      ) : (
        <Button onPress={() => setOpen(true)}>
          <Trans>Show what became of the requests</Trans>
        </Button>
      )}
    </section>
  );
}

function Loaded({ episodeId }: { readonly episodeId: string }) {
  return (
    <QueryView query={useQuery(explanationQuery(episodeId))}>
      {({ data }) => <Funnel explained={data} />}
    </QueryView>
  );
}

/** A column for all days, then one for each, today first: a phone shows the first ones. */
function Funnel({ explained: { days, total } }: { readonly explained: Explained }) {
  const { t } = useLingui();
  const reasonOf = useReasons();
  const reasons = [...total.rejected.map(({ reason }) => reason), 'repeated', 'partial'] as const;
  const newestFirst = days.toReversed();
  const columns: readonly Counts[] = [total, ...newestFirst];
  const rows = [
    { label: t`Requests for the audio`, values: columns.map(({ requests }) => requests) },
    ...reasons
      .map((reason) => ({
        label: reasonOf(reason),
        values: columns.map((counts) => -countOf(counts, reason)),
      }))
      .filter(({ values }) => values.some((value) => value < 0)),
    { label: t`Downloads`, values: columns.map(({ downloads }) => downloads) },
  ];
  return (
    <div className="sideways">
      <table className={styles['funnel']}>
        <thead>
          <tr>
            <td />
            <th scope="col">
              <Trans>Total</Trans>
            </th>
            {newestFirst.map(({ day }) => (
              <th key={day} scope="col">
                {formatShortDay(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, values }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {columns.map((_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns keep their places.
                <td key={index}>{formatNumber(values[index] || 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Counts = Explained['total'];

function countOf(counts: Counts, reason: string): number {
  if (reason === 'repeated' || reason === 'partial') return counts[reason];
  return counts.rejected.find((rejected) => rejected.reason === reason)?.requests ?? 0;
}

function useReasons(): (reason: string) => string {
  const { t } = useLingui();
  const reasons: Readonly<Record<string, string>> = {
    head: t`Asked only whether the file is there`,
    not_modified: t`Already had the file`,
    redirect: t`Were sent to another address`,
    error: t`Ended with an error`,
    prefetch: t`Loaded in advance, without a listener`,
    probe: t`Tried out the file with a few bytes`,
    unknown_range: t`Do not say which part they received`,
    bot: t`Came from a bot`,
    data_center: t`Came from a data center`,
    too_many_listeners: t`Came from an address with too many listeners`,
    future: t`Have a date in the future`,
    repeated: t`Further requests of the same listener on the same day`,
    partial: t`Listeners who received less than 60 seconds`,
  };
  return (reason) => reasons[reason] ?? reason;
}
