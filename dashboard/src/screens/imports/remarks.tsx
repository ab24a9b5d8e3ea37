import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ImportConflict, ImportReport, ItemRemark } from '../../api/imports.ts';
import { Table } from '../../components/table.tsx';
import { formatNumber } from '../../lib/format.ts';
import { importRemarks } from '../../sentences/import-words.ts';
import styles from './imports.module.css';
import { ServerMessage } from './server-message.tsx';

/** Further ones are folded away. */
const shownAtOnce = 8;

/** Remarks about the items, problems first. */
export function Remarks({ of: report }: { readonly of: ImportReport }) {
  const { t } = useLingui();
  return (
    <>
      <RemarkList title={t`Problems`} of={report.problems} />
      <RemarkList title={t`Good to know`} of={report.warnings} />
      <Conflicts of={report.conflicts} />
      {report.not_kept.length > 0 && <NotKept of={report.not_kept} />}
      {report.omitted > 0 && (
        <p className={styles['muted']}>
          <Plural
            value={report.omitted}
            one="# more entry isn’t shown."
            other="# more entries aren’t shown."
          />
        </p>
      )}
    </>
  );
}

interface ListProps {
  readonly title: string;
  readonly of: readonly ItemRemark[];
}

function RemarkList({ title, of: remarks }: ListProps) {
  if (remarks.length === 0) return null;
  const rest = remarks.slice(shownAtOnce);
  return (
    <section>
      <h2 className={styles['heading']}>{title}</h2>
      <RemarkLines of={remarks.slice(0, shownAtOnce)} />
      {rest.length > 0 && (
        <details>
          <summary>
            <Plural value={rest.length} one="# more" other="# more" />
          </summary>
          <RemarkLines of={rest} />
        </details>
      )}
    </section>
  );
}

function RemarkLines({ of }: { readonly of: readonly ItemRemark[] }) {
  return (
    <ul className={styles['list']}>
      {of.map(({ guid, title, reason, message }) => (
        <li key={`${guid} ${title} ${reason} ${message}`}>
          {(title ?? guid) !== null && (
            <>
              <strong dir="auto">{title ?? guid}</strong>:{' '}
            </>
          )}
          <ServerMessage words={importRemarks} message={message} reason={reason} />
        </li>
      ))}
    </ul>
  );
}

function NotKept({ of }: { readonly of: ImportReport['not_kept'] }) {
  return (
    <details>
      <summary>
        <Trans>Not imported</Trans>
      </summary>
      <ul className={styles['list']}>
        {of.map(({ element, count }) => (
          <li key={element}>
            <code>{element}</code> × {formatNumber(count)}
          </li>
        ))}
      </ul>
    </details>
  );
}

const mostShown = 100;

/** Values and episodes that were changed or deleted here since the last import; they stay. */
function Conflicts({ of: conflicts }: { readonly of: readonly ImportConflict[] }) {
  const { t } = useLingui();
  if (conflicts.length === 0) return null;
  return (
    <details>
      <summary>
        <Plural
          value={conflicts.length}
          one="# value was changed or deleted here and won’t be replaced"
          other="# values were changed or deleted here and won’t be replaced"
        />
      </summary>
      <Table
        label={t`Values that won’t be replaced`}
        head={[t`Item`, t`Field`, t`Here`, t`In the feed`]}
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
        <Trans>
          To use the feed’s values, import into the show again with the option to replace them.
        </Trans>
      </p>
    </details>
  );
}

const mostChars = 120;

function describe(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > mostChars ? `${text.slice(0, mostChars)}…` : text;
}
