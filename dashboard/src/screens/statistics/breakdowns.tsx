import { useLingui } from '@lingui/react/macro';
import type { Dimension, Range } from '../../api/analytics.ts';
import { BreakdownCard } from './breakdown-card.tsx';
import styles from './statistics.module.css';

interface Props {
  readonly podcastId: string;
  readonly episodeId: string | undefined;
  readonly range: Range;
}

/** Downloads by app, country, device, source and website. */
export function Breakdowns(props: Props) {
  const { t } = useLingui();
  const dimensions: readonly { readonly dimension: Dimension; readonly title: string }[] = [
    { dimension: 'apps', title: t`Apps` },
    { dimension: 'countries', title: t`Countries` },
    { dimension: 'devices', title: t`Devices` },
    { dimension: 'sources', title: t`Source` },
    { dimension: 'referrers', title: t`Referring sites (including your listen page)` },
  ];
  return (
    <div className={styles['breakdowns']}>
      {dimensions.map(({ dimension, title }) => (
        <BreakdownCard key={dimension} {...props} dimension={dimension} title={title} />
      ))}
    </div>
  );
}
