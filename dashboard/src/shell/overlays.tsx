import { lazy, Suspense, useSyncExternalStore } from 'react';
import { hadMessage, subscribeToMessages } from '../components/toasts.ts';
import { askedQuestion, subscribeToQuestion } from '../publication/confirmation.ts';
import { needsSignIn, subscribeToSignIn } from './sign-in-state.ts';
import { useEarlyText } from './use-early-text.ts';

// Loaded when there is something to show, because the first screen needs none of it.
const ToastRegion = lazy(() => import('../components/toast-region.tsx'));
const SignInDialog = lazy(() => import('./sign-in-dialog.tsx'));
const Palette = lazy(() => import('./palette.tsx'));
const ConfirmWithoutAudio = lazy(() => import('../publication/confirm-without-audio.tsx'));
const LiveShow = lazy(async () => ({ default: (await import('./live-show.tsx')).LiveShow }));

interface Props {
  readonly podcastId: string | undefined;
  readonly isSearching: boolean;
  readonly onSearchEnd: () => void;
}

/** Everything that is shown above the screens. */
export function Overlays({ podcastId, isSearching, onSearchEnd }: Props) {
  const hasMessages = useSyncExternalStore(subscribeToMessages, hadMessage);
  const isSignedOut = useSyncExternalStore(subscribeToSignIn, needsSignIn);
  const question = useSyncExternalStore(subscribeToQuestion, askedQuestion);
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
