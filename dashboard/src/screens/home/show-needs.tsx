import { Plural, Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { HomeShow, ShowNeed } from '../../api/home.ts';
import styles from './home.module.css';

interface Props {
  readonly show: HomeShow;
  readonly needs: readonly ShowNeed[];
}

/** What somebody should do about a show, each with the way to it. */
export function ShowNeeds({ show, needs }: Props) {
  if (needs.length === 0) return null;
  return (
    <ul className={styles['needs']}>
      {needs.map((need) => (
        <li key={need.kind}>
          <CircleAlert size={16} aria-hidden="true" />
          <span>{describe(show.id, need)}</span>
        </li>
      ))}
    </ul>
  );
}

function describe(
  podcastId: string,
  { kind, count = 0, import_id: importId }: ShowNeed,
): ReactNode {
  const episodes = (status: string, text: ReactNode) => (
    <Link to="/shows/$podcastId/episodes" params={{ podcastId }} search={{ status }}>
      {text}
    </Link>
  );
  switch (kind) {
    case 'scheduled_without_audio':
      return episodes(
        'scheduled',
        <Plural
          value={count}
          one="# scheduled episode has no audio"
          other="# scheduled episodes have no audio"
        />,
      );
    case 'draft_without_audio':
      return episodes(
        'draft',
        <Plural value={count} one="# draft has no audio" other="# drafts have no audio" />,
      );
    case 'pending_confirmation':
      return episodes(
        'pending_confirmation',
        <Plural
          value={count}
          one="# imported episode waits for you"
          other="# imported episodes wait for you"
        />,
      );
    case 'import_failed':
      return (
        <a href={`/app/imports/${importId}`}>
          <Trans>The last import has failed</Trans>
        </a>
      );
    case 'no_artwork':
      return (
        <a href={`/app/shows/${podcastId}/show/cover`}>
          <Trans>Add a cover: apps won’t list your show without one</Trans>
        </a>
      );
    case 'no_category':
      return (
        <a href={`/app/shows/${podcastId}/show/texts`}>
          <Trans>The show has no category: Apple does not list it</Trans>
        </a>
      );
    case 'plan_lapsed':
      return <Trans>The plan of this show has lapsed</Trans>;
    default:
      return kind;
  }
}
