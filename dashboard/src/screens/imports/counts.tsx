import { useLingui } from '@lingui/react/macro';
import type { ImportReport } from '../../api/imports.ts';
import { formatNumber } from '../../lib/format.ts';
import styles from './imports.module.css';

/** The results of the feed's items, in numbers. */
export function Counts({ of: report }: { readonly of: ImportReport }) {
  const { t } = useLingui();
  const counts: readonly (readonly [string, number, boolean?])[] = [
    [t`New episodes`, report.created],
    [t`Changed`, report.updated],
    [t`Already there`, report.unchanged],
    [t`Need attention`, report.failed, report.failed > 0],
  ];
  return (
    <dl className={styles['counts']}>
      {counts.map(([label, count, isBad = false]) => (
        <div key={label} className={`${styles['count']} ${isBad ? styles['bad'] : ''}`}>
          <dt>{label}</dt>
          <dd>{formatNumber(count)}</dd>
        </div>
      ))}
    </dl>
  );
}
