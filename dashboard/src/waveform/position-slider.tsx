import { useLingui } from '@lingui/react/macro';
import type { PointerEvent } from 'react';
import { formatDuration } from '../lib/format.ts';
import type { Player } from './player.ts';
import { pressPlayerKey } from './player-keys.ts';
import { usePlayerState } from './use-player.ts';
import styles from './waveform.module.css';

/** Where the player is, over the waveform: for the pointer, the keyboard and screen readers. */
export function PositionSlider({ player }: { readonly player: Player }) {
  const { t } = useLingui();
  const seconds = usePlayerState(player, (state) => Math.floor(state.seconds));
  const duration = usePlayerState(player, (state) => state.duration);
  const share = usePlayerState(player, (state) => shareOf(state.seconds, state.duration));
  const seekTo = (event: PointerEvent<HTMLElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    player.seek(((event.clientX - left) / width) * duration);
  };
  const [now, whole] = [formatDuration(seconds), formatDuration(duration)];
  return (
    <div
      role="slider"
      tabIndex={0}
      className={styles['slider']}
      aria-label={t`Position in the audio`}
      aria-valuemin={0}
      aria-valuemax={Math.round(duration)}
      aria-valuenow={seconds}
      aria-valuetext={t`${now} of ${whole}`}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        seekTo(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) seekTo(event);
      }}
      onKeyDown={(event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        if (pressPlayerKey(player, event.key)) event.preventDefault();
      }}
    >
      <span className={styles['head']} style={{ left: `${share * 100}%` }} />
    </div>
  );
}

/** In steps that can be seen. */
function shareOf(seconds: number, duration: number): number {
  return duration > 0 ? Math.round((seconds / duration) * 2000) / 2000 : 0;
}
