import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Key, type KeyList, keysQuery } from '../../../api/keys.ts';
import { NothingHere, QueryView } from '../../../components/query-view.tsx';

interface Props {
  /** Whether the person may do with the key what the screen is for. */
  readonly may: (key: Key) => boolean;
  readonly children: (key: Key, choices: KeyList['choices']) => ReactNode;
}

/** The key in the address, as long as something may be done with it. */
export function OneKey({ may, children }: Props) {
  const { keyId } = useParams({ strict: false });
  // Loaded anew, because a form keeps the key that it starts with.
  const keys = useQuery({ ...keysQuery, staleTime: 0 });
  return (
    <QueryView query={keys}>
      {({ data: list, choices }) => {
        const key = list.find(({ id }) => id === keyId);
        return key === undefined || !may(key) ? <NothingHere /> : children(key, choices);
      }}
    </QueryView>
  );
}
