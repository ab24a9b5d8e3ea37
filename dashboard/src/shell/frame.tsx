import { Trans, useLingui } from '@lingui/react/macro';
import { Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { Menu as MenuIcon, Search, X } from 'lucide-react';
import {
  lazy,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { Button } from '../components/button.tsx';
import { Deferred } from '../components/deferred.tsx';
import { Notice } from '../components/notice.tsx';
import { SuspensionText } from '../components/suspension-text.tsx';
import { hadMessage, subscribeToMessages } from '../components/toasts.ts';
import { type Keeping, useCommonKeeping } from '../editor/keeping.ts';
import { shortcutName, useShortcut } from '../lib/use-shortcut.ts';
import { useOnline } from '../offline/use-online.ts';
import { openQuestion, subscribeToQuestion } from '../publication/confirmation.ts';
import styles from './frame.module.css';
import { AccountButton, Navigation } from './navigation.tsx';
import { needsSignIn, subscribeToSignIn } from './sign-in-state.ts';
import { useShow } from './use-show.ts';

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

/** Says that the browser has no network, and what becomes of the text in the open forms. */
function OfflineNotice() {
  const isOnline = useOnline();
  const keeping = useCommonKeeping();
  if (isOnline) return null;
  return (
    <Notice tone="warn">
      <Consequence keeping={keeping} />
    </Notice>
  );
}

function Consequence({ keeping }: { readonly keeping: Keeping | undefined }) {
  switch (keeping) {
    case 'saved_later':
      return <Trans>You’re offline. What you type is kept in this browser and saved later.</Trans>;
    case 'until_saved':
      return (
        <Trans>You’re offline. What you type is kept in this browser until you can save it.</Trans>
      );
    case undefined:
      return <Trans>You’re offline. You can’t save anything until the connection is back.</Trans>;
  }
}

/**
 * Says above every screen of a suspended show that it is suspended, why, and what ends it; and of a
 * paused one that its new episodes do not appear.
 */
function SuspensionNotice({ podcastId }: { readonly podcastId: string | undefined }) {
  const show = useShow(podcastId);
  if (show === undefined) return null;
  const { suspended_for: cause, suspension_ends_on: endsOn } = show;
  if (cause === null && show.status !== 'paused') return null;
  return (
    <Notice tone="warn">
      {cause !== null ? (
        <SuspensionText cause={cause} endsOn={endsOn} />
      ) : (
        <Trans>New episodes won’t appear anywhere until you resume the show.</Trans>
      )}
    </Notice>
  );
}

// Loaded when there is something to show, because the first screen needs none of it.
const ToastRegion = lazy(() => import('../components/toast-region.tsx'));
const SignInDialog = lazy(() => import('./sign-in-dialog.tsx'));
const Palette = lazy(() => import('./palette.tsx'));
const ConfirmWithoutAudio = lazy(() => import('../publication/confirm-without-audio.tsx'));
const LiveShow = lazy(async () => ({ default: (await import('./live-show.tsx')).LiveShow }));

interface OverlaysProps {
  readonly podcastId: string | undefined;
  readonly isSearching: boolean;
  readonly onSearchEnd: () => void;
}

/** Everything that is shown above the screens. */
function Overlays({ podcastId, isSearching, onSearchEnd }: OverlaysProps) {
  const hasMessages = useSyncExternalStore(subscribeToMessages, hadMessage);
  const isSignedOut = useSyncExternalStore(subscribeToSignIn, needsSignIn);
  const question = useSyncExternalStore(subscribeToQuestion, openQuestion);
  const takeEarlyText = useEarlyText(isSearching, onSearchEnd);
  return (
    <Suspense fallback={null}>
      {isSearching && (
        <Palette podcastId={podcastId} takeEarlyText={takeEarlyText} onClose={onSearchEnd} />
      )}
      {hasMessages && <ToastRegion />}
      {question !== undefined && <ConfirmWithoutAudio {...question} />}
      {isSignedOut && <SignInDialog />}
      {podcastId !== undefined && <LiveShow podcastId={podcastId} />}
    </Suspense>
  );
}

/**
 * Collects text that is typed while the code of a field is loading. Calling the result, when the
 * field has the focus, ends this and returns the text.
 */
function useEarlyText(isWaiting: boolean, onEscape: () => void): () => string {
  const take = useRef<() => string>(() => '');
  const latest = useRef(onEscape);
  latest.current = onEscape;
  useLayoutEffect(() => {
    if (!isWaiting) return;
    let text = '';
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape') latest.current();
      else if (event.key === 'Backspace') text = text.slice(0, -1);
      else if (event.key.length === 1) text += event.key;
      // These keys must not press the focused button below.
      else if (event.key !== 'Enter') return;
      event.preventDefault();
      event.stopPropagation();
    };
    const stop = () => window.removeEventListener('keydown', listen, true);
    window.addEventListener('keydown', listen, true);
    take.current = () => {
      stop();
      take.current = () => '';
      return text;
    };
    return stop;
  }, [isWaiting]);
  return () => take.current();
}
