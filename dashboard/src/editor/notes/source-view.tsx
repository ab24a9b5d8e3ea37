import { Trans, useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import { Notice } from '../../components/notice.tsx';
import { cleanHtml } from './clean-html.ts';
import styles from './notes.module.css';
import type { Notes } from './notes-field.tsx';
import { textOfHtml } from './read-notes.ts';

interface Props {
  readonly label: string;
  readonly html: string;
  readonly onChange: (notes: Notes) => void;
  readonly isReadOnly: boolean;
}

/** The notes as HTML. It names the elements that are not kept, before they are lost. */
export function SourceView({ label, html, onChange, isReadOnly }: Props) {
  const { t } = useLingui();
  const { removed } = useMemo(() => cleanHtml(html), [html]);
  const names = removed.map((name) => `<${name}>`).join(', ');
  return (
    <div className={styles['source']}>
      <textarea
        aria-label={t`${label}, as HTML`}
        value={html}
        readOnly={isReadOnly}
        onChange={({ target: { value } }) => onChange({ html: value, text: textOfHtml(value) })}
        spellCheck={false}
        rows={16}
        dir="ltr"
      />
      {names !== '' && (
        <Notice tone="warn">
          <Trans>Show notes cannot hold {names}. It will be left out; its text stays.</Trans>
        </Notice>
      )}
    </div>
  );
}
