import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleUser, Moon, Sun, SunMoon } from 'lucide-react';
import { useState } from 'react';
import { meQuery } from '../api/me.ts';
import { Menu } from '../components/menu.tsx';
import { chooseColorScheme, chosenColorScheme } from '../lib/color-scheme.ts';
import { type Locale, languages } from '../words/languages.ts';
import { chooseLanguage } from '../words/locales.ts';
import { signOutHere } from './sign-out.ts';

export function AccountButton() {
  const { t } = useLingui();
  const navigate = useNavigate();
  // Loaded after the first screen, which does not need the name.
  const [wasOpened, setOpened] = useState(false);
  const { data: me } = useQuery({ ...meQuery, enabled: wasOpened });
  const schemes = [
    { id: 'light', label: t`Light colors`, icon: Sun },
    { id: 'dark', label: t`Dark colors`, icon: Moon },
    { id: 'auto', label: t`Colors of the system`, icon: SunMoon },
  ] as const;
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
