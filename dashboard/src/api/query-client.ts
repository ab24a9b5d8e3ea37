import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { askToSignIn } from '../shell/sign-in-state.ts';
import { isPassing, isSignedOut } from './errors.ts';

const attempts = 3;
const onError = (error: Error) => {
  if (isSignedOut(error)) askToSignIn();
};

/** Screens show what is cached at once and ask for it again; a session that has ended opens the sign-in dialog. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) => failures < attempts && isPassing(error),
      // The browser may say that it is offline where the server is on the same machine.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
