import { Trans, useLingui } from '@lingui/react/macro';
import { Pause, Play, RotateCcw, RotateCw } from 'lucide-react';
import type { PointerEvent, ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { formatDuration, formatNumber } from '../lib/format.ts';
import type { Peaks } from './draw-waveform.ts';
import type { Player } from './player.ts';
import { usePlayerState } from './use-player.ts';
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

/** Where the player is, over the waveform: for the pointer, the keyboard and screen readers. */
function PositionSlider({ player }: { readonly player: Player }) {
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

const shortStep = 5;
const longStep = 10;

/** Carries out a key of the player: space and K, arrows, J and L, Home and End. False for all others. */
function pressPlayerKey(player: Player, key: string): boolean {
  const act = actions[key.length === 1 ? key.toLowerCase() : key];
  act?.(player);
  return act !== undefined;
}

const actions: Readonly<Record<string, (player: Player) => void>> = {
  ' ': (player) => player.toggle(),
  k: (player) => player.toggle(),
  j: (player) => player.seekBy(-longStep),
  l: (player) => player.seekBy(longStep),
  ArrowLeft: (player) => player.seekBy(-shortStep),
  ArrowDown: (player) => player.seekBy(-shortStep),
  ArrowRight: (player) => player.seekBy(shortStep),
  ArrowUp: (player) => player.seekBy(shortStep),
  PageDown: (player) => player.seekBy(-6 * longStep),
  PageUp: (player) => player.seekBy(6 * longStep),
  Home: (player) => player.seek(0),
  End: (player) => player.seek(player.state.duration),
};

const rates = [1, 1.25, 1.5, 2, 0.75];
const step = 10;

interface TransportProps {
  readonly player: Player;
  readonly children?: ReactNode;
}

/** Play and pause, ten seconds back and forth, speed, and the position. */
function Transport({ player, children }: TransportProps) {
  const { t } = useLingui();
  const isPlaying = usePlayerState(player, (state) => state.isPlaying);
  const hasFailed = usePlayerState(player, (state) => state.hasFailed);
  const rate = usePlayerState(player, (state) => state.rate);
  const speed = formatNumber(rate);
  return (
    <div className={styles['transport']}>
      <Button
        kind="primary"
        size="icon"
        aria-label={isPlaying ? t`Pause` : t`Play`}
        onPress={() => player.toggle()}
      >
        {isPlaying ? <Pause size={18} aria-hidden="true" /> : <Play size={18} aria-hidden="true" />}
      </Button>
      <Button
        kind="quiet"
        size="icon"
        aria-label={t`Back 10 seconds`}
        onPress={() => player.seekBy(-step)}
      >
        <RotateCcw size={18} aria-hidden="true" />
      </Button>
      <Button
        kind="quiet"
        size="icon"
        aria-label={t`Forward 10 seconds`}
        onPress={() => player.seekBy(step)}
      >
        <RotateCw size={18} aria-hidden="true" />
      </Button>
      <Button
        kind="quiet"
        size="small"
        aria-label={t`Speed: ${speed} times`}
        onPress={() => player.setRate(rates[(rates.indexOf(rate) + 1) % rates.length] ?? 1)}
      >
        {speed}×
      </Button>
      <Times player={player} />
      {children}
      {hasFailed && (
        <p className={styles['failed']} role="alert">
          <Trans>Your browser can’t play this audio.</Trans>
        </p>
      )}
    </div>
  );
}

function Times({ player }: { readonly player: Player }) {
  const seconds = usePlayerState(player, (state) => Math.floor(state.seconds));
  const duration = usePlayerState(player, (state) => state.duration);
  return (
    <span className={styles['times']} dir="ltr">
      {formatDuration(seconds)}{' '}
      <span className={styles['whole']}>/ {formatDuration(duration)}</span>
    </span>
  );
}
