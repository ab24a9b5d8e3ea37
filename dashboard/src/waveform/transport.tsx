import { Trans, useLingui } from '@lingui/react/macro';
import { Pause, Play, RotateCcw, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { formatDuration, formatNumber } from '../lib/format.ts';
import type { Player } from './player.ts';
import { usePlayerState } from './use-player.ts';
import styles from './waveform.module.css';

const rates = [1, 1.25, 1.5, 2, 0.75];
const step = 10;

interface Props {
  readonly player: Player;
  readonly children?: ReactNode;
}

/** Play and pause, ten seconds back and forth, speed, and the position. */
export function Transport({ player, children }: Props) {
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
        aria-label={t`Ten seconds back`}
        onPress={() => player.seekBy(-step)}
      >
        <RotateCcw size={18} aria-hidden="true" />
      </Button>
      <Button
        kind="quiet"
        size="icon"
        aria-label={t`Ten seconds forward`}
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
          <Trans>The browser cannot play this audio.</Trans>
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
