import { Plural, Trans } from '@lingui/react/macro';
import { Minus, Plus } from 'lucide-react';
import type { AudioReplacement } from '../../api/recording.ts';
import { formatDuration } from '../../lib/format.ts';
import styles from './replacement.module.css';

interface Props {
  readonly kind: 'removed' | 'added';
  readonly spans: AudioReplacement['removed'];
}

const maxShown = 50;

/** The cut or the new parts, as text with times. */
export function SpanList({ kind, spans }: Props) {
  if (spans.length === 0) return null;
  const Icon = kind === 'removed' ? Minus : Plus;
  return (
    <div className={`${styles['spans']} ${styles[`${kind}Text`]}`}>
      <h3>
        <Icon size={16} aria-hidden="true" />
        {kind === 'removed' ? (
          <Plural
            value={spans.length}
            one="One part of the old recording is gone"
            other="# parts of the old recording are gone"
          />
        ) : (
          <Plural
            value={spans.length}
            one="One part of the new recording was not there before"
            other="# parts of the new recording were not there before"
          />
        )}
      </h3>
      <ul>
        {spans.slice(0, maxShown).map((span) => (
          <li key={span.start_seconds}>
            <SpanText span={span} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function SpanText({ span }: { readonly span: AudioReplacement['removed'][number] }) {
  const [from, to] = [formatDuration(span.start_seconds), formatDuration(span.end_seconds)];
  const length = formatDuration(span.end_seconds - span.start_seconds);
  return (
    <Trans>
      {from} to {to} (length {length})
    </Trans>
  );
}
