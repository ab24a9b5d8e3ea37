import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ImportReport, ItemRemark } from '../../api/imports.ts';
import { formatNumber } from '../../lib/format.ts';
import { importRemarks } from '../../sentences/import-words.ts';
import { Conflicts } from './conflicts.tsx';
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
            one="The report leaves out # more entry."
            other="The report leaves out # more entries."
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
