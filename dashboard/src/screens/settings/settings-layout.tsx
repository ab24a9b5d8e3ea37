import { useLingui } from '@lingui/react/macro';
import { Outlet } from '@tanstack/react-router';
import { NavTabs } from '../../components/nav-tabs.tsx';

/** The screens of the account, with the way from each to the others. */
export function SettingsLayout() {
  const { t } = useLingui();
  return (
    <>
      <NavTabs
        label={t`Account`}
        tabs={[
          { to: '/settings', label: t`Profile`, isExact: true },
          { to: '/settings/password', label: t`Password` },
          { to: '/settings/sessions', label: t`Sessions` },
          { to: '/settings/emails', label: t`Emails` },
          { to: '/settings/keys', label: t`API keys` },
          { to: '/settings/sites', label: t`Sites` },
          { to: '/settings/plan', label: t`Plan` },
          { to: '/settings/terms', label: t`Terms` },
          { to: '/settings/deletion', label: t`Delete account` },
        ]}
      />
      <Outlet />
    </>
  );
}
