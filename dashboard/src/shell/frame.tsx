import { Trans, useLingui } from '@lingui/react/macro';
import { Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { Menu as MenuIcon, Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Deferred } from '../components/deferred.tsx';
import { shortcutName, useShortcut } from '../lib/use-shortcut.ts';
import { AccountButton } from './account-button.tsx';
import styles from './frame.module.css';
import { Navigation } from './navigation.tsx';
import { OfflineNotice } from './offline-notice.tsx';
import { Overlays } from './overlays.tsx';
import { SuspensionNotice } from './suspension-notice.tsx';

/** The frame around every screen: navigation, messages, and the sign-in dialog. */
export function Frame() {
  const { t } = useLingui();
  const { podcastId } = useParams({ strict: false });
  const [isOpen, setOpen] = useState(false);
  const [isSearching, setSearching] = useState(false);
  useShortcut('k', () => setSearching(true));
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [first] = useState(path);

  // Keyboards and screen readers start at the beginning of a new screen.
  useEffect(() => {
    setOpen(false);
    if (path !== first) main.current?.focus({ preventScroll: true });
  }, [path, first]);

  return (
    <div className={styles['frame']}>
      <a className="skip" href="#main">
        <Trans>Skip to content</Trans>
      </a>
      <header className={styles['bar']}>
        <span className={styles['menu']}>
          <Button
            kind="quiet"
            size="icon"
            aria-label={isOpen ? t`Close the menu` : t`Open the menu`}
            aria-expanded={isOpen}
            onPress={() => setOpen(!isOpen)}
          >
            {isOpen ? (
              <X size={20} aria-hidden="true" />
            ) : (
              <MenuIcon size={20} aria-hidden="true" />
            )}
          </Button>
        </span>
        <a className={styles['brand']} href="/app">
          <img src="/favicon.svg" alt="" width={28} height={28} />
          Podstead
        </a>
        <Button kind="quiet" onPress={() => setSearching(true)}>
          <Search size={18} aria-hidden="true" />
          <span className={styles['goto']}>
            <Trans>Go to…</Trans>
          </span>
          <span className={styles['key']} aria-hidden="true">
            {shortcutName('K')}
          </span>
        </Button>
        <AccountButton />
      </header>
      <div className={`${styles['side']} ${isOpen ? styles['open'] : ''}`}>
        <Navigation podcastId={podcastId} />
      </div>
      <main id="main" ref={main} tabIndex={-1} className={styles['main']}>
        <div className={styles['notices']}>
          <OfflineNotice />
          <SuspensionNotice podcastId={podcastId} />
        </div>
        <Deferred>
          <Outlet />
        </Deferred>
      </main>
      <Overlays
        podcastId={podcastId}
        isSearching={isSearching}
        onSearchEnd={() => setSearching(false)}
      />
    </div>
  );
}
