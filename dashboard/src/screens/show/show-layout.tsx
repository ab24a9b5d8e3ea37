import { useLingui } from '@lingui/react/macro';
import { Outlet, useParams } from '@tanstack/react-router';
import { NavTabs } from '../../components/nav-tabs.tsx';
import { useShowSettings } from './use-show-settings.ts';

/** The screens of a show's settings, with the way from each to those that the person may open. */
export function ShowLayout() {
  const { t } = useLingui();
  const { podcastId = '' } = useParams({ strict: false });
  const may = useShowSettings().data?.may;
  const params = { podcastId };
  const tabs = [
    { to: '/shows/$podcastId/show/texts', label: t`Details`, isOpen: may?.edit },
    { to: '/shows/$podcastId/show/cover', label: t`Cover`, isOpen: may?.edit },
    { to: '/shows/$podcastId/show/page', label: t`Page`, isOpen: may?.edit },
    { to: '/shows/$podcastId/show/people', label: t`People`, isOpen: may?.people },
    { to: '/shows/$podcastId/show/directories', label: t`Directories`, isOpen: may?.edit },
    { to: '/shows/$podcastId/show/health', label: t`Health`, isOpen: may?.check },
    { to: '/shows/$podcastId/show/advanced', label: t`Advanced`, isOpen: may?.edit },
    { to: '/shows/$podcastId/show/address', label: t`URLs`, isOpen: may?.edit },
    { to: '/shows/$podcastId/show/domain', label: t`Domain`, isOpen: may?.set_domain },
    { to: '/shows/$podcastId/show/moving', label: t`Moving`, isOpen: may?.move },
    { to: '/shows/$podcastId/show/exports', label: t`Exports`, isOpen: may?.edit },
    { to: '/shows/$podcastId/show/webhooks', label: t`Webhooks`, isOpen: may?.webhooks },
    { to: '/shows/$podcastId/show/end', label: t`Pause or delete`, isOpen: may?.pause },
  ] as const;
  return (
    <>
      <NavTabs
        // The current tab is scrolled into view when the tabs are known.
        key={may === undefined ? 'loading' : 'loaded'}
        label={t`Show`}
        tabs={tabs
          .filter(({ isOpen }) => isOpen === true)
          .map(({ to, label }) => ({ to, label, params }))}
      />
      <Outlet />
    </>
  );
}
