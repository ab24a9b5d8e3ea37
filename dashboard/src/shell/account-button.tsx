import { useLingui } from '@lingui/react/macro';
import { CircleUser } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../components/button.tsx';

const AccountMenu = lazy(() => import('./account-menu.tsx'));

/** Loads the menu of the account when it is opened for the first time. */
export function AccountButton() {
  const { t } = useLingui();
  const [wasOpened, setOpened] = useState(false);
  const button = (
    <Button
      kind="quiet"
      size="icon"
      aria-label={t`Account`}
      aria-haspopup="menu"
      onPress={() => setOpened(true)}
    >
      <CircleUser size={22} aria-hidden="true" />
    </Button>
  );
  if (!wasOpened) return button;
  return (
    <Suspense fallback={button}>
      <AccountMenu />
    </Suspense>
  );
}
