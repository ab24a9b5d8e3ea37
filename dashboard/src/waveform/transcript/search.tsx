import { Trans, useLingui } from '@lingui/react/macro';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import type { Segment } from '../../api/recording.ts';
import { Button } from '../../components/button.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { formatNumber } from '../../lib/format.ts';
import styles from './transcript.module.css';
import { type Edits, findSegments } from './transcript-edits.ts';

interface Props {
  readonly segments: readonly Segment[];
  readonly edits: Edits;
  /** Undefined: there is no search, or no result. */
  readonly onFound: (index: number | undefined) => void;
}

/** Searches words and speakers, and goes from one result to the next. */
export function TranscriptSearch({ segments, edits, onFound }: Props) {
  const { t } = useLingui();
  const [search, setSearch] = useState('');
  const [place, setPlace] = useState(0);
  const wanted = useDeferredValue(search);
  const found = useMemo(() => findSegments(segments, edits, wanted), [segments, edits, wanted]);
  const go = (to: number) => {
    const next = (to + found.length) % found.length;
    setPlace(next);
    onFound(found[next]);
  };
  const [now, all] = [formatNumber(place + 1), formatNumber(found.length)];
  return (
    <div className={styles['search']}>
      <SearchField
        label={t`Search the transcript`}
        value={search}
        onChange={(text) => {
          setSearch(text);
          setPlace(0);
          onFound(findSegments(segments, edits, text)[0]);
        }}
      />
      {wanted !== '' && (
        <>
          <span role="status" className="meta">
            {found.length === 0 ? (
              <Trans>Nothing found</Trans>
            ) : (
              <Trans>
                {now} of {all}
              </Trans>
            )}
          </span>
          <Button
            kind="quiet"
            size="icon"
            aria-label={t`Previous place`}
            isDisabled={found.length === 0}
            onPress={() => go(place - 1)}
          >
            <ArrowUp size={18} aria-hidden="true" />
          </Button>
          <Button
            kind="quiet"
            size="icon"
            aria-label={t`Next place`}
            isDisabled={found.length === 0}
            onPress={() => go(place + 1)}
          >
            <ArrowDown size={18} aria-hidden="true" />
          </Button>
        </>
      )}
    </div>
  );
}
