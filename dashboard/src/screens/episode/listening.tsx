import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import type { Player } from '../../waveform/player.ts';
import { recordingOf } from '../../waveform/recording.ts';
import { Waveform } from '../../waveform/waveform.tsx';
import { useEditing } from './editing.ts';
import styles from './episode.module.css';

/** The episode's player: with the waveform, or the browser's own player if there is none. */
export function Listening() {
  const { episode, player } = useEditing();
  const { peaks } = recordingOf(episode);
  if (player === undefined) return <div className={styles['player']} />;
  if (peaks === null) return <PlainPlayer player={player} />;
  return <Waveform player={player} peaks={peaks} />;
}

function PlainPlayer({ player }: { readonly player: Player }) {
  const { t } = useLingui();
  const { title } = useEditing().episode;
  const place = useRef<HTMLDivElement>(null);
  const label = t`Audio of ${title}`;
  useEffect(() => player.showIn(place.current, label), [player, label]);
  return <div ref={place} className={styles['player']} />;
}
