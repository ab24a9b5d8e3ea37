import { useLingui } from '@lingui/react/macro';
import { Loading } from '../components/loading.tsx';

export function ScreenLoading() {
  const { t } = useLingui();
  return <Loading label={t`Loading…`} />;
}
