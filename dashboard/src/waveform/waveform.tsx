import type { ReactNode } from 'react';
import type { Peaks } from './draw-waveform.ts';
import type { Player } from './player.ts';
import { PositionSlider } from './position-slider.tsx';
import { Transport } from './transport.tsx';
import styles from './waveform.module.css';
import { WaveformCanvas } from './waveform-canvas.tsx';

interface Props {
  readonly player: Player;
  /** Null: not drawn (yet); a line is shown instead. */
  readonly peaks: Peaks | null;
  /** Markers over the waveform, placed by `left` in percent. */
  readonly children?: ReactNode;
  /** Beside the controls. */
  readonly controls?: ReactNode;
}

/**
 * A recording to listen to. Its time runs from left to right in every language, as on players and
 * in editors of audio.
 */
export function Waveform({ player, peaks, children, controls }: Props) {
  return (
    <div className={styles['waveform']}>
      <div className={styles['picture']} dir="ltr">
        <WaveformCanvas peaks={peaks} player={player} />
        <PositionSlider player={player} />
        {children}
      </div>
      <Transport player={player}>{controls}</Transport>
    </div>
  );
}
