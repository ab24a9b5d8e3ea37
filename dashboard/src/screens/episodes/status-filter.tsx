import { useLingui } from '@lingui/react/macro';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { ToggleButtonGroup } from 'react-aria-components/ToggleButtonGroup';
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
  const shown = order.filter((status) => status === value || (counts?.[status] ?? 0) > 0);
  const total = Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0);
  return (
    <ToggleButtonGroup
      aria-label={t`Status`}
      className={styles['filter'] ?? ''}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value ?? 'all']}
      onSelectionChange={([key]) => onChange(key === 'all' ? undefined : (key as EpisodeStatus))}
    >
      <ToggleButton id="all" className={styles['choice'] ?? ''}>
        {t`All`} <span className="meta">{formatNumber(total)}</span>
      </ToggleButton>
      {shown.map((status) => (
        <ToggleButton key={status} id={status} className={styles['choice'] ?? ''}>
          {names[status]} <span className="meta">{formatNumber(counts?.[status] ?? 0)}</span>
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
