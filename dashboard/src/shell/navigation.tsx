import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  ChartLine,
  CircleUser,
  House,
  Import,
  ListMusic,
  type LucideIcon,
  Moon,
  Plus,
  Podcast,
  Sun,
  SunMoon,
  Users,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type Language, languages } from '../../../server/src/lib/languages.ts';
import { meQuery } from '../api/me.ts';
import { Menu } from '../components/menu.tsx';
import { chooseColorScheme, chosenColorScheme } from '../lib/color-scheme.ts';
import { chooseLanguage } from './account-language.ts';
import styles from './navigation.module.css';
import { signOutHere } from './sign-out.ts';
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
          <p className={styles['show']} dir="auto" title={show?.title}>
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
            {show?.may.analytics === true && (
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
            {show?.may.check === true && (
              <Entry icon={Podcast}>
                <Link to="/shows/$podcastId/show" params={{ podcastId }} className={styles['link']}>
                  <Trans>Show</Trans>
                </Link>
              </Entry>
            )}
            <Entry icon={Users}>
              <Link to="/shows/$podcastId/team" params={{ podcastId }} className={styles['link']}>
                {show?.may.team === false ? <Trans>My role</Trans> : <Trans>Team</Trans>}
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

export function AccountButton() {
  const { t } = useLingui();
  const navigate = useNavigate();
  // Loaded after the first screen, which does not need the name.
  const [wasOpened, setOpened] = useState(false);
  const { data: me } = useQuery({ ...meQuery, enabled: wasOpened });
  const schemes = [
    { id: 'light', label: t`Light theme`, icon: Sun },
    { id: 'dark', label: t`Dark theme`, icon: Moon },
    { id: 'auto', label: t`System theme`, icon: SunMoon },
  ] as const;
  return (
    <Menu
      label={me === undefined ? t`Account` : t`Account: ${me.user.name}`}
      onOpen={() => setOpened(true)}
      trigger={<CircleUser size={22} aria-hidden="true" />}
      actions={[
        {
          id: 'settings',
          label: t`Account settings`,
          act: () => navigate({ to: '/settings' }),
        },
        ...Object.entries(languages).map(([language, name]) => ({
          id: language,
          label: name,
          act: () => chooseLanguage(language as Language),
        })),
        ...schemes.map(({ id, label, icon: Icon }) => ({
          id,
          label,
          icon: <Icon size={16} aria-hidden="true" />,
          isDisabled: id === chosenColorScheme(),
          act: () => chooseColorScheme(id),
        })),
        { id: 'sign-out', label: t`Sign out`, act: signOutHere },
      ]}
    />
  );
}
