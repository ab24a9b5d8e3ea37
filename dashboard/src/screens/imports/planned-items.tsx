import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { PlannedItem } from '../../api/imports.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Table } from '../../components/table.tsx';
import styles from './imports.module.css';

const step = 20;

/** Each episode that would be new or change. */
export function PlannedItems({ of: items }: { readonly of: readonly PlannedItem[] }) {
  const { t } = useLingui();
  const [shown, setShown] = useState(step);
  if (items.length === 0) return null;
  return (
    <section>
      <h2 className={styles['heading']}>
        <Trans>Episodes</Trans>
      </h2>
      <Table
        label={t`Episodes`}
        head={[t`Episode`, t`What happens`]}
        rows={items.slice(0, shown).map(({ guid, title, outcome, changes }) => ({
          key: `${guid} ${title}`,
          cells: [
            <bdi key="title">{title ?? guid ?? t`Without a title`}</bdi>,
            outcome === 'created' ? (
              <Badge key="new" tone="good">{t`New`}</Badge>
            ) : (
              <span key="changed">
                <Badge tone="info">{t`Changes`}</Badge>{' '}
                {changes.map(({ field }) => field).join(', ')}
              </span>
            ),
          ],
        }))}
      />
      {shown < items.length && (
        <Button onPress={() => setShown(shown + step * 10)}>{t`Show more`}</Button>
      )}
    </section>
  );
}
