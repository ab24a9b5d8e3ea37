import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type Ref, useEffect, useRef, useState } from 'react';
import { episodeAnalyticsQuery } from '../../api/analytics.ts';
import { Button } from '../../components/button.tsx';
import { type Option, Select } from '../../components/select.tsx';
import styles from './statistics.module.css';
import { useStatisticsSearch } from './use-statistics-search.ts';

interface Props {
  readonly podcastId: string;
  readonly episodeId: string;
  readonly ids: readonly string[];
}

const mostCompared = 5;

/** The choice of compared episodes, which is in the address. */
export function ComparedEpisodes({ podcastId, episodeId, ids }: Props) {
  const { t } = useLingui();
  const { change } = useStatisticsSearch();
  const [said, setSaid] = useState('');
  const { list, keepFocus } = useKeptFocus(ids.join(','));
  const { titleOf, others } = useEpisodes({ podcastId, episodeId, ids });
  const compare = (changed: readonly string[], words: string) => {
    keepFocus();
    setSaid(words);
    return change({ with: changed.join(',') });
  };
  const remove = ({ value: id, label: title }: Option<string>) => {
    const kept = ids.filter((other) => other !== id);
    return compare(kept, t`${title} was removed.`);
  };
  return (
    <>
      {ids.length > 0 && (
        <ComparedList
          episodes={ids.map((id) => ({ value: id, label: titleOf(id) }))}
          onRemove={remove}
          ref={list}
        />
      )}
      {ids.length < mostCompared && others.length > 0 && (
        <AddEpisode
          episodes={others}
          onAdd={({ value, label: title }) => compare([...ids, value], t`${title} was added.`)}
        />
      )}
      {ids.length >= mostCompared && (
        <p className="meta">
          <Trans>Remove an episode to compare with another one.</Trans>
        </p>
      )}
      <span role="status" className="unseen">
        {said}
      </span>
    </>
  );
}

/** The titles of the show's episodes, and which can be added. */
function useEpisodes({ podcastId, episodeId, ids }: Props) {
  const { range } = useStatisticsSearch();
  const { data } = useInfiniteQuery(episodeAnalyticsQuery(podcastId, range));
  const episodes = data?.pages.flatMap((page) => page.data) ?? [];
  const titleOf = (id: string) =>
    episodes.find((episode) => episode.episode_id === id)?.title ?? '…';
  const others = episodes
    .filter(
      ({ episode_id: id, status }) =>
        status === 'published' && id !== episodeId && !ids.includes(id),
    )
    .map(({ episode_id: value, title: label }) => ({ value, label }));
  return { titleOf, others };
}

interface ListProps {
  readonly episodes: readonly Option<string>[];
  readonly onRemove: (episode: Option<string>) => unknown;
  readonly ref: Ref<HTMLUListElement>;
}

/** Its only episode cannot be removed. */
function ComparedList({ episodes, onRemove, ref }: ListProps) {
  const { t } = useLingui();
  return (
    <ul className={styles['compared']} ref={ref} tabIndex={-1} aria-label={t`Compared episodes`}>
      {episodes.map((episode) => {
        const { value: id, label: title } = episode;
        return (
          <li key={id}>
            <span dir="auto">{title}</span>
            {episodes.length > 1 && (
              <Button
                kind="quiet"
                size="icon"
                aria-label={t`Stop comparing ${title}`}
                onPress={() => onRemove(episode)}
              >
                <X size={14} aria-hidden="true" />
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The list takes the focus if a change of `ids` by the reader removes the focused button. */
function useKeptFocus(ids: string) {
  const list = useRef<HTMLUListElement>(null);
  const idsBefore = useRef<string>(undefined);
  useEffect(() => {
    if (idsBefore.current === undefined || idsBefore.current === ids) return;
    idsBefore.current = undefined;
    if (document.activeElement === document.body) list.current?.focus();
  }, [ids]);
  const keepFocus = () => {
    idsBefore.current = ids;
  };
  return { list, keepFocus };
}

interface AddEpisodeProps {
  readonly episodes: readonly Option<string>[];
  readonly onAdd: (episode: Option<string>) => unknown;
}

/** Adds an episode to the compared ones. By keyboard, a list changes its value with each key. */
function AddEpisode({ episodes, onAdd }: AddEpisodeProps) {
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
