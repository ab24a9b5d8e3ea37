import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleUser } from 'lucide-react';
import { useState } from 'react';
import { meQuery, signOut } from '../api/me.ts';
import { Menu } from '../components/menu.tsx';
import { forgetApp } from '../offline/keep-app.ts';
import { type Locale, languages } from '../words/languages.ts';
import { chooseLanguage } from '../words/locales.ts';

export function AccountButton() {
  const { t } = useLingui();
  const navigate = useNavigate();
  // The first screen does not wait for the name.
  const [wasOpened, setOpened] = useState(false);
  const { data: me } = useQuery({ ...meQuery, enabled: wasOpened });
  return (
    <Menu
      label={me === undefined ? t`Account` : t`Account of ${me.user.name}`}
      onOpen={() => setOpened(true)}
      trigger={<CircleUser size={22} aria-hidden="true" />}
      actions={[
        {
          id: 'settings',
          label: t`Account settings`,
          act: () => navigate({ to: '/settings' }),
        },
        ...Object.entries(languages).map(([locale, name]) => ({
          id: locale,
          label: name,
          act: () => chooseLanguage(locale as Locale),
        })),
        {
          id: 'sign-out',
          label: t`Sign out`,
          act: async () => {
            await signOut();
            await forgetApp();
            window.location.assign('/app/sign-in');
          },
        },
      ]}
    />
  );
}
