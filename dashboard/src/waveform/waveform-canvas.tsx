import { useEffect, useRef } from 'react';
import { watchColorScheme } from '../lib/color-scheme.ts';
import { drawWaveform, type Peaks } from './draw-waveform.ts';
import type { Player } from './player.ts';
import styles from './waveform.module.css';

interface Props {
  readonly peaks: Peaks | null;
  readonly player?: Player | undefined;
}

/** Of the window: what is nearer is drawn. */
const nearby = '300px';

/** The picture alone, drawn while it is near the window. It follows the player, its own size and the color scheme, without React. */
export function WaveformCanvas({ peaks, player }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    let isNear = false;
    const draw = () => {
      if (!isNear) return;
      const { seconds, duration } = player?.state ?? { seconds: 0, duration: 1 };
      drawWaveform(element, { peaks, played: duration > 0 ? seconds / duration : 0 });
    };
    // Both observers speak after the layout. Drawing before it would make the browser do it twice.
    const view = new IntersectionObserver(
      (entries) => {
        isNear = entries.at(-1)?.isIntersecting ?? false;
        draw();
      },
      { rootMargin: nearby },
    );
    view.observe(element);
    const size = new ResizeObserver(draw);
    size.observe(element);
    const unwatch = watchColorScheme(draw);
    const unsubscribe = player?.subscribe(draw);
    return () => {
      view.disconnect();
      size.disconnect();
      unwatch();
      unsubscribe?.();
    };
  }, [peaks, player]);
  return (
    <div className={styles['drawing']} aria-hidden="true">
      <canvas ref={canvas} className={styles['canvas']} />
    </div>
  );
}
