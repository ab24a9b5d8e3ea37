import { Plural, Trans } from '@lingui/react/macro';
import type { AudioReplacement } from '../../api/recording.ts';
import { formatDuration } from '../../lib/format.ts';
import styles from './replacement.module.css';

interface Props {
  readonly transcript: NonNullable<AudioReplacement['transcript']>;
}

/** How much of the transcript moves, and the words that would be lost. */
export function MovedTranscript({ transcript }: Props) {
  const { moved, shortened, lost_count: lostCount, lost } = transcript;
  return (
    <div className={styles['moved']}>
      <h3>
        <Trans>Transcript</Trans>
      </h3>
      <p>
        <Plural value={moved} one="# segment moves." other="# segments move." />{' '}
        {shortened > 0 && (
          <Plural
            value={shortened}
            one="Part of # of them is cut: look at its words."
            other="Parts of # of them are cut: look at their words."
          />
        )}
      </p>
      {lostCount > 0 && (
        <details className={styles['removedText']} open={lost.length <= 10}>
          <summary>
            <Plural
              value={lostCount}
              one="# segment is lost, because its audio is gone"
              other="# segments are lost, because their audio is gone"
            />
          </summary>
          <ul className={styles['lost']}>
            {lost.map((segment) => (
              <li key={`${segment.start_seconds} ${segment.text}`} dir="auto">
                <span className="meta">{formatDuration(segment.start_seconds)}</span>{' '}
                {segment.speaker !== '' && <b>{segment.speaker}: </b>}
                {segment.text}
              </li>
            ))}
          </ul>
          {lostCount > lost.length && (
            <p className="meta">
              <Trans>The list shows the first of them.</Trans>
            </p>
          )}
        </details>
      )}
    </div>
  );
}
