import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { HomeShow, ShowNeed } from '../../api/home.ts';
import { Artwork } from '../../components/artwork.tsx';
import { Badge } from '../../components/badge.tsx';
import { Moment } from '../../components/moment.tsx';
import { useRoleName } from '../../components/role-name.ts';
import { SuspensionText } from '../../components/suspension-text.tsx';
import { formatNumber } from '../../lib/format.ts';
import { formatChange, formatDays } from '../../lib/format-days.ts';
import styles from './home.module.css';

interface Props {
  readonly show: HomeShow;
  /** A notice above the shows explains why the person's own are suspended. */
  readonly isOverageTold: boolean;
}

export function ShowCard({ show, isOverageTold }: Props) {
  const { id, title, artwork_url: artwork, next_scheduled: next, latest, needs } = show;
  const seesAll = show.sees_all_episodes;
  const isToldAbove = isOverageTold && show.is_own && show.suspended_for === 'overage';
  return (
    <li className={styles['card']}>
      <div className={styles['head']}>
        <Artwork url={artwork} size={72} />
        <div className={styles['names']}>
          <h2 className={styles['title']} dir="auto">
            <Link to="/shows/$podcastId/episodes" params={{ podcastId: id }}>
              {title}
            </Link>
          </h2>
          <Badges show={show} />
        </div>
      </div>
      {show.suspended_for !== null && !isToldAbove && (
        <p className="meta">
          <SuspensionText cause={show.suspended_for} endsOn={show.suspension_ends_on} />
        </p>
      )}
      <dl className={styles['facts']}>
        <Downloads show={show} />
        {next !== null && (
          <>
            <dt>
              <Trans>Next</Trans>
            </dt>
            <dd>
              <EpisodeLink podcastId={id} episode={next} />{' '}
              <span className="meta">
                <Moment of={next.scheduled_for} zone={show.timezone} />
              </span>
            </dd>
          </>
        )}
        <dt>
          <Trans>Latest</Trans>
        </dt>
        <dd>
          {latest === null ? (
            <span className="meta">
              {seesAll ? (
                <Trans>Nothing published yet</Trans>
              ) : (
                <Trans>None of your episodes are published yet</Trans>
              )}
            </span>
          ) : (
            <>
              <EpisodeLink podcastId={id} episode={latest} />{' '}
              <span className="meta">
                <Moment of={latest.published_at} zone={show.timezone} day />
              </span>
              {show.downloads_7d !== null && (
                <>
                  {' · '}
                  <Link
                    to="/shows/$podcastId/statistics/episodes/$episodeId"
                    params={{ podcastId: id, episodeId: latest.id }}
                  >
                    <Trans>Statistics</Trans>
                  </Link>
                </>
              )}
            </>
          )}
        </dd>
        <dt>{seesAll ? <Trans>Episodes</Trans> : <Trans>Your episodes</Trans>}</dt>
        <dd>
          <Plural value={show.episode_counts.published} one="# published" other="# published" />
          {show.episode_counts.draft > 0 && (
            <>
              {' · '}
              <Plural value={show.episode_counts.draft} one="# draft" other="# drafts" />
            </>
          )}
        </dd>
      </dl>
      <ShowNeeds show={show} needs={needs} />
    </li>
  );
}

interface EpisodeLinkProps {
  readonly podcastId: string;
  readonly episode: { readonly id: string; readonly title: string };
}

function EpisodeLink({ podcastId, episode: { id: episodeId, title } }: EpisodeLinkProps) {
  return (
    <Link to="/shows/$podcastId/episodes/$episodeId" params={{ podcastId, episodeId }} dir="auto">
      {title}
    </Link>
  );
}

function Downloads({ show: { downloads_7d: downloads } }: { readonly show: HomeShow }) {
  if (downloads === null) return null;
  const { from, to, total, previous } = downloads;
  const days = formatDays(from, to);
  const change = previous === 0 ? undefined : (total - previous) / previous;
  return (
    <>
      <dt>
        <Trans>Last 7 days</Trans>
      </dt>
      <dd>
        <span className={styles['figure']}>
          <Plural value={total} one="# download" other="# downloads" />
        </span>
        <br />
        <span className="meta">
          <Trans>{days} (UTC), excluding today</Trans>
          {' · '}
          {change === undefined ? (
            <Trans>previous week: {formatNumber(previous)}</Trans>
          ) : (
            <Trans>{formatChange(change)} compared with the previous week</Trans>
          )}
        </span>
      </dd>
    </>
  );
}

function Badges({ show }: { readonly show: HomeShow }) {
  const { t } = useLingui();
  const nameOf = useRoleName();
  const statuses: Readonly<Record<string, string>> = {
    draft: t`Not public yet`,
    paused: t`Paused`,
    overage_suspended: t`Suspended`,
    moved: t`Moved`,
  };
  const status = statuses[show.status];
  return (
    <div className={styles['badges']}>
      {status !== undefined && <Badge tone="warn">{status}</Badge>}
      {show.hosting_type === 'external' && (
        <Badge>
          <Trans>Hosted elsewhere</Trans>
        </Badge>
      )}
      {!show.is_own && <Badge>{nameOf(show)}</Badge>}
    </div>
  );
}

interface ShowNeedsProps {
  readonly show: HomeShow;
  readonly needs: readonly ShowNeed[];
}

/** What somebody should do about a show, each with the way to it. */
function ShowNeeds({ show, needs }: ShowNeedsProps) {
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
          one="# imported episode needs attention"
          other="# imported episodes need attention"
        />,
      );
    case 'import_failed':
      return (
        <a href={`/app/imports/${importId}`}>
          <Trans>The last import failed</Trans>
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
          <Trans>Add a category: Apple won’t list your show without one</Trans>
        </a>
      );
    case 'plan_lapsed':
      return <Trans>This show’s plan has lapsed</Trans>;
    default:
      return kind;
  }
}
