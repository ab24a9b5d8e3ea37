import { useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import type { EpisodeStatus } from '../../api/episodes.ts';
import { useStatusNames } from '../../components/status-badge.tsx';
import { formatNumber } from '../../lib/format.ts';
import styles from './episodes.module.css';

interface Props {
  readonly counts: Readonly<Record<EpisodeStatus, number>> | undefined;
  readonly value: EpisodeStatus | undefined;
  readonly onChange: (status: EpisodeStatus | undefined) => void;
}

const order: readonly EpisodeStatus[] = [
  'published',
  'scheduled',
  'draft',
  'pending_confirmation',
  'archived',
];

/** All, or the episodes of one status, with how many there are of each. */
export function StatusFilter({ counts, value, onChange }: Props) {
  const { t } = useLingui();
  const names = useStatusNames();
  const group = useId();
  const shown = order.filter((status) => status === value || (counts?.[status] ?? 0) > 0);
  const total = Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0);
  const choices = [
    { status: undefined, name: t`All`, count: total },
    ...shown.map((status) => ({ status, name: names[status], count: counts?.[status] ?? 0 })),
  ];
  return (
    <div role="radiogroup" aria-label={t`Status`} className={styles['filter']}>
      {choices.map(({ status, name, count }) => (
        <label key={status ?? 'all'} className={styles['choice']}>
          <input
            type="radio"
            name={group}
            checked={status === value}
            onChange={() => onChange(status)}
          />
          {name} <span className="meta">{formatNumber(count)}</span>
        </label>
      ))}
    </div>
  );
}
