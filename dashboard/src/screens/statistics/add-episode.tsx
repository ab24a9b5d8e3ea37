import { Trans, useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { type Option, Select } from '../../components/select.tsx';
import styles from './statistics.module.css';

interface Props {
  readonly episodes: readonly Option<string>[];
  readonly onAdd: (episode: Option<string>) => unknown;
}

/** Adds an episode to the compared ones. By keyboard, a list changes its value with each key. */
export function AddEpisode({ episodes, onAdd }: Props) {
  const { t } = useLingui();
  const [id, setId] = useState('');
  const select = useRef<HTMLSelectElement>(null);
  const chosen = episodes.find(({ value }) => value === id);
  const add = () => {
    if (chosen === undefined) {
      select.current?.focus();
      return;
    }
    setId('');
    onAdd(chosen);
  };
  return (
    <div className={styles['adding']}>
      <Select
        label={t`Compare with`}
        value={chosen?.value ?? ''}
        onChange={setId}
        options={[{ value: '', label: t`Choose an episode…` }, ...episodes]}
        ref={select}
      />
      <Button onPress={add}>
        <Trans>Add</Trans>
      </Button>
    </div>
  );
}
