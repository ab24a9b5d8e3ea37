import { useLingui } from '@lingui/react/macro';
import { Search, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { maxChars } from '../../../server/src/lib/limits.ts';
import styles from './search-field.module.css';

interface Props {
  /** For screen readers, and in the empty field. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The pause after the last key; a shorter one would search for unfinished words. */
const pauseMs = 250;

/** Searches while the person types; Escape empties it. */
export function SearchField({ label, value, onChange }: Props) {
  const { t } = useLingui();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <search className={styles['search']}>
      <Search size={18} aria-hidden="true" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        maxLength={maxChars.search}
        dir="auto"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onChange('')}
      />
      {text !== '' && (
        <button type="button" aria-label={t`Clear search`} onClick={() => onChange('')}>
          <X size={16} aria-hidden="true" />
        </button>
      )}
    </search>
  );
}
