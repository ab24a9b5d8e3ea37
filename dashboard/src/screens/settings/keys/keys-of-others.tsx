import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { allMyPodcastsQuery } from '../../../api/podcasts.ts';
import styles from '../settings.module.css';

/** Where owners decide which keys read their shows. */
export function KeysOfOthers() {
  const podcasts = useQuery(allMyPodcastsQuery);
  const own = (podcasts.data ?? []).filter(({ role }) => role === 'owner');
  if (own.length === 0) return null;
  return (
    <section className={styles['words']}>
      <h2>
        <Trans>Keys of others</Trans>
      </h2>
      <p>
        <Trans>
          You decide whether team members read your shows with keys of their own, and you can revoke
          all keys’ access to a show. You find both under Team.
        </Trans>
      </p>
      <ul>
        {own.map(({ id, title, team_keys: allowed }) => (
          <li key={id}>
            <Link to="/shows/$podcastId/team" params={{ podcastId: id }} dir="auto">
              {title}
            </Link>
            {': '}
            {allowed ? <Trans>team members may use keys</Trans> : <Trans>only your own keys</Trans>}
          </li>
        ))}
      </ul>
    </section>
  );
}
