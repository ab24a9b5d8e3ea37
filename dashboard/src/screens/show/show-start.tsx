import { useLingui } from '@lingui/react/macro';
import { Navigate } from '@tanstack/react-router';
import { ShowPage } from './show-page.tsx';

/** Leads to the first of the screens that the person may open. */
export function ShowStart() {
  const { t } = useLingui();
  return (
    <ShowPage title={t`Show`}>
      {({ id: podcastId, may }) => (
        <Navigate
          to={may.edit ? '/shows/$podcastId/show/texts' : '/shows/$podcastId/show/health'}
          params={{ podcastId }}
          replace
        />
      )}
    </ShowPage>
  );
}
