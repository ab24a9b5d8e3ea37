import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ImportConflict } from '../../api/imports.ts';
import { Table } from '../../components/table.tsx';
import styles from './imports.module.css';

const mostShown = 100;

/** Values and episodes that were changed or deleted here since the last import; they stay. */
export function Conflicts({ of: conflicts }: { readonly of: readonly ImportConflict[] }) {
  const { t } = useLingui();
  if (conflicts.length === 0) return null;
  return (
    <details>
      <summary>
        <Plural
          value={conflicts.length}
          one="# value was changed or deleted here, and stays as it is"
          other="# values were changed or deleted here, and stay as they are"
        />
      </summary>
      <Table
        label={t`What stays as it is`}
        head={[t`Of`, t`What`, t`Here`, t`In the feed`]}
        rows={conflicts.slice(0, mostShown).map((conflict) => ({
          key: `${conflict.guid} ${conflict.title} ${conflict.field}`,
          cells: [
            conflict.title ?? conflict.guid ?? t`The show`,
            conflict.field ?? t`Episode`,
            conflict.reason === 'deleted_here' ? t`deleted` : describe(conflict.here),
            describe(conflict.source),
          ],
        }))}
      />
      <p className={styles['muted']}>
        <Trans>To take what the feed says, import into the show with that option.</Trans>
      </p>
    </details>
  );
}

const mostChars = 120;

function describe(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > mostChars ? `${text.slice(0, mostChars)}…` : text;
}
