import { useLingui } from '@lingui/react/macro';
import { CircleAlert, Info } from 'lucide-react';
import { useEditing } from './editing.ts';
import styles from './episode.module.css';
import { isPublic } from './episode-fields.ts';

/** What is missing for the publication of the episode, and what is recommended. */
export function Missing() {
  const { t } = useLingui();
  const { episode, values } = useEditing();
  const noAudioYet = t`No audio yet: without it, the episode isn’t in the feed.`;
  const audio = {
    published: t`No audio: the episode is public on its page and in the API, but not in the feed.`,
    scheduled: t`No audio: the episode will be public on its page and in the API, but not in the feed.`,
    draft: noAudioYet,
    pending_confirmation: noAudioYet,
    archived: noAudioYet,
  };
  const needed = [
    ...(episode.audio === null ? [audio[episode.status]] : []),
    ...(values.title.trim() === '' ? [t`A title is missing.`] : []),
  ];
  const advised =
    values.description.trim() === '' && !isPublic(episode)
      ? [t`Without a description, apps show nothing.`]
      : [];
  if (needed.length + advised.length === 0) return null;
  return (
    <ul className={styles['missing']}>
      {needed.map((text) => (
        <li key={text} data-needed="">
          <CircleAlert size={16} aria-hidden="true" />
          {text}
        </li>
      ))}
      {advised.map((text) => (
        <li key={text}>
          <Info size={16} aria-hidden="true" />
          {text}
        </li>
      ))}
    </ul>
  );
}
