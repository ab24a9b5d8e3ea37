import { useLingui } from '@lingui/react/macro';
import { NothingHere } from '../components/query-view.tsx';
import { useTitle } from '../lib/use-title.ts';

export function NotFound() {
  const { t } = useLingui();
  useTitle(t`Not found`);
  return <NothingHere isPage />;
}
