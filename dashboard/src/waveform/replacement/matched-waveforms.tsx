import { useLingui } from '@lingui/react/macro';
import type { AudioReplacement } from '../../api/recording.ts';
import type { Peaks } from '../draw-waveform.ts';
import { WaveformCanvas } from '../waveform-canvas.tsx';
import styles from './replacement.module.css';

interface Props {
  readonly proposed: AudioReplacement;
  readonly oldPeaks: Peaks | null;
}

/**
 * Both recordings on one scale; bands connect the matching parts. The lists below have the same as
 * text.
 */
export function MatchedWaveforms({ proposed, oldPeaks }: Props) {
  const { t } = useLingui();
  const { old_duration_seconds: old, new_duration_seconds: fresh } = proposed;
  const longest = Math.max(old, fresh, 1);
  const x = (seconds: number) => (1000 * seconds) / longest;
  return (
    <figure className={styles['figure']} dir="ltr">
      <figcaption className="unseen">{t`The old recording above, the new one below`}</figcaption>
      <div className={styles['recording']} style={{ width: `${(100 * old) / longest}%` }}>
        <WaveformCanvas peaks={oldPeaks} />
        <Spans spans={proposed.removed} duration={old} kind="removed" />
      </div>
      <svg
        className={styles['bands']}
        viewBox="0 0 1000 60"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {proposed.segments.map(({ old_start, old_end, new_start }) => (
          <polygon
            key={old_start}
            points={[
              `${x(old_start)},0`,
              `${x(old_end)},0`,
              `${x(new_start + old_end - old_start)},60`,
              `${x(new_start)},60`,
            ].join(' ')}
          />
        ))}
      </svg>
      <div className={styles['recording']} style={{ width: `${(100 * fresh) / longest}%` }}>
        <WaveformCanvas peaks={proposed.peaks} />
        <Spans spans={proposed.added} duration={fresh} kind="added" />
      </div>
    </figure>
  );
}

interface SpansProps {
  readonly spans: AudioReplacement['removed'];
  readonly duration: number;
  readonly kind: 'removed' | 'added';
}

function Spans({ spans, duration, kind }: SpansProps) {
  return spans.map(({ start_seconds: start, end_seconds: end }) => (
    <span
      key={start}
      className={`${styles['span']} ${styles[kind]}`}
      style={{
        left: `${(100 * start) / (duration || 1)}%`,
        width: `${(100 * (end - start)) / (duration || 1)}%`,
      }}
    />
  ));
}
