import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Key, keysQuery } from '../../../api/keys.ts';
import { NothingHere, QueryView } from '../../../components/query-view.tsx';

/** The key in the address, while it is active. */
export function OneKey({ children }: { readonly children: (key: Key) => ReactNode }) {
  const { keyId } = useParams({ strict: false });
  // Loaded anew, because a form keeps the key that it starts with.
  const keys = useQuery({ ...keysQuery, staleTime: 0 });
  return (
    <QueryView query={keys}>
      {({ data: list }) => {
        const key = list.find(({ id, state }) => id === keyId && state === 'active');
        return key === undefined ? <NothingHere /> : children(key);
      }}
    </QueryView>
  );
}
