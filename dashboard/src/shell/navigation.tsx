import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import {
  ChartLine,
  House,
  Import,
  ListMusic,
  type LucideIcon,
  Plus,
  Podcast,
  Users,
} from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './navigation.module.css';
import { useShow } from './use-show.ts';

/** Links to home, and to the screens of the open show. */
export function Navigation({ podcastId }: { readonly podcastId: string | undefined }) {
  const { t } = useLingui();
  const show = useShow(podcastId);
  return (
    <nav aria-label={t`Main`}>
      <ul className={styles['list']}>
        <Entry icon={House}>
          <Link to="/" activeOptions={{ exact: true }} className={styles['link']}>
            <Trans>My shows</Trans>
          </Link>
        </Entry>
        <Entry icon={Plus}>
          <Link to="/new" className={styles['link']}>
            <Trans>Add a show</Trans>
          </Link>
        </Entry>
        <Entry icon={Import}>
          <Link to="/imports" className={styles['link']}>
            <Trans>Imports</Trans>
          </Link>
        </Entry>
      </ul>
      {podcastId !== undefined && (
        <>
          <p className={styles['show']} dir="auto">
            {show?.title ?? ' '}
          </p>
          <ul className={styles['list']}>
            <Entry icon={ListMusic}>
              <Link
                to="/shows/$podcastId/episodes"
                params={{ podcastId }}
                className={styles['link']}
              >
                <Trans>Episodes</Trans>
              </Link>
            </Entry>
            {show?.capabilities.includes('analytics.view') === true && (
              <Entry icon={ChartLine}>
                <Link
                  to="/shows/$podcastId/statistics"
                  params={{ podcastId }}
                  className={styles['link']}
                >
                  <Trans>Statistics</Trans>
                </Link>
              </Entry>
            )}
            {show?.capabilities.includes('episodes.view_all') === true && (
              <Entry icon={Podcast}>
                <Link to="/shows/$podcastId/show" params={{ podcastId }} className={styles['link']}>
                  <Trans>Show</Trans>
                </Link>
              </Entry>
            )}
            <Entry icon={Users}>
              <Link to="/shows/$podcastId/team" params={{ podcastId }} className={styles['link']}>
                {show?.capabilities.includes('team.manage') === false ? (
                  <Trans>My role</Trans>
                ) : (
                  <Trans>Team</Trans>
                )}
              </Link>
            </Entry>
          </ul>
        </>
      )}
    </nav>
  );
}

function Entry({
  icon: Icon,
  children,
}: {
  readonly icon: LucideIcon;
  readonly children: ReactNode;
}) {
  return (
    <li className={styles['entry']}>
      <Icon size={18} aria-hidden="true" />
      {children}
    </li>
  );
}
