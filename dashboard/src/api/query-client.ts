import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { askToSignIn } from '../shell/sign-in-state.ts';
import { isOffline, isPassing, isSignedOut } from './errors.ts';

const attempts = 3;
const onError = (error: Error) => {
  if (isSignedOut(error)) askToSignIn();
};

/**
 * Screens show cached data at once and load it again. If the session has ended, the sign-in dialog
 * opens.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) =>
        failures < attempts && isPassing(error) && !(isOffline(error) && !navigator.onLine),
      // Only what could not be loaded: what is shown may be edited, and hears of changes by events.
      refetchOnReconnect: ({ state }) => state.data === undefined,
      // An offline browser may still reach a server on the same machine.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
