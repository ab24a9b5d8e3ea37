import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { AudioReplacement, Chapter } from '../../api/recording.ts';
import { formatDuration } from '../../lib/format.ts';
import styles from './replacement.module.css';

interface Props {
  readonly chapters: AudioReplacement['chapters'];
}

interface Line {
  readonly key: string;
  readonly title: string;
  readonly before: number;
  /** Undefined: it is lost. */
  readonly after: number | undefined;
}

/** Every chapter with its time before and after, or that it is lost. */
export function MovedChapters({ chapters }: Props) {
  const { t } = useLingui();
  return (
    <div className={styles['moved']}>
      <h3>
        <Trans>Chapters</Trans>
      </h3>
      {chapters.lost.length > 0 && (
        <p className={styles['removedText']}>
          <Plural
            value={chapters.lost.length}
            one="One chapter is lost, because its audio is gone."
            other="# chapters are lost, because their audio is gone."
          />
        </p>
      )}
      <div className={styles['scroll']}>
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">{t`Title`}</th>
              <th scope="col">{t`Before`}</th>
              <th scope="col">{t`After`}</th>
            </tr>
          </thead>
          <tbody>
            {linesOf(chapters).map(({ key, title, before, after }) => (
              <tr key={key} data-lost={after === undefined || undefined}>
                <th scope="row" dir="auto">
                  {title || t`Without a title`}
                </th>
                <td>{formatDuration(before)}</td>
                <td>{after === undefined ? t`lost` : formatDuration(after)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/**
 * Pairs the chapters before with those after: all lists have one order, and lost ones have no
 * partner.
 */
function linesOf({ before, after, lost }: Props['chapters']): Line[] {
  let [moved, gone] = [0, 0];
  return before.map((chapter, index) => {
    const isLost = isSame(lost[gone], chapter);
    const next = isLost ? undefined : after[moved]?.start_seconds;
    if (isLost) gone += 1;
    else moved += 1;
    const { title, start_seconds } = chapter;
    return { key: `${index}`, title: title ?? '', before: start_seconds, after: next };
  });
}

function isSame(one: Chapter | undefined, other: Chapter): boolean {
  return one?.start_seconds === other.start_seconds && one.title === other.title;
}
