import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleUser } from 'lucide-react';
import { meQuery, signOut } from '../api/me.ts';
import { Menu } from '../components/menu.tsx';
import { type Locale, languages } from '../words/languages.ts';
import { chooseLanguage } from '../words/locales.ts';

// biome-ignore lint/style/noDefaultExport: React.lazy takes a default export.
export default function AccountMenu() {
  const { t } = useLingui();
  const { data: me } = useQuery(meQuery);
  const navigate = useNavigate();
  return (
    <Menu
      label={me === undefined ? t`Account` : t`Account of ${me.user.name}`}
      isOpenAtFirst
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
            window.location.assign('/app/sign-in');
          },
        },
      ]}
    />
  );
}
