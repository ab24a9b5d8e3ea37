import {
  infiniteQueryOptions,
  queryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type {
  FieldDifference,
  ImportConflict,
  ItemCounts,
  ItemRemark,
  PlannedItem,
} from '../../../server/src/lib/import-remarks.ts';
import { api, bodyOf, dataOf } from './client.ts';
import type { components } from './schema.d.ts';

export type { ImportConflict, ItemRemark, PlannedItem };
export type ListedImport = components['schemas']['ListedImport'];

/** The result of an import, or of a dry run. Each item counts in one of the four numbers. */
export interface ImportReport extends ItemCounts {
  readonly podcast: {
    readonly id: string | null;
    readonly slug: string;
    readonly title: string;
    readonly outcome: 'created' | 'updated' | 'unchanged';
    readonly changes: readonly FieldDifference[];
  };
  readonly audio: { readonly files: number; readonly bytes: number };
  readonly problems: readonly ItemRemark[];
  readonly warnings: readonly ItemRemark[];
  readonly conflicts: readonly ImportConflict[];
  readonly changes: readonly PlannedItem[];
  readonly not_kept: readonly { readonly element: string; readonly count: number }[];
  readonly omitted: number;
}

type Wire = components['schemas']['Import'];
export interface Import extends Omit<Wire, 'report'> {
  readonly report: ImportReport | null;
}

export interface ImportRequest {
  readonly url: string;
  readonly slug?: string;
  readonly into?: string;
  readonly copy_audio: boolean;
  readonly overwrite: boolean;
  readonly dry_run: boolean;
}

/** The API's document does not describe the fields of a report. */
const asImport = (found: Promise<Wire>) => found as unknown as Promise<Import>;

export const importsQuery = infiniteQueryOptions({
  queryKey: ['imports'],
  queryFn: ({ pageParam, signal }) =>
    bodyOf(
      api.GET('/app/api/imports', {
        params: { query: { limit: 50, ...(pageParam !== null && { cursor: pageParam }) } },
        signal,
      }),
    ),
  initialPageParam: null as string | null,
  getNextPageParam: ({ pagination }) => pagination.next_cursor,
});

export const importQuery = (importId: string) =>
  queryOptions({
    queryKey: ['imports', importId],
    queryFn: ({ signal }) =>
      asImport(
        dataOf(api.GET('/app/api/imports/{importId}', { params: { path: { importId } }, signal })),
      ),
  });

export const requestImport = (body: ImportRequest) =>
  asImport(dataOf(api.POST('/app/api/imports', { body })));

/** Everything imported so far stays. */
export const cancelImport = (importId: string) =>
  asImport(
    dataOf(
      api.POST('/app/api/imports/{importId}/cancel', { params: { path: { importId } }, body: {} }),
    ),
  );

/** Continues where it stopped, or starts again from its address. */
export const resumeImport = (importId: string) =>
  asImport(
    dataOf(
      api.POST('/app/api/imports/{importId}/resume', { params: { path: { importId } }, body: {} }),
    ),
  );

/** Emails a code to the owner that a locked feed names. */
export const sendFeedCode = (url: string) =>
  dataOf(api.POST('/app/api/feed-codes', { body: { url } }));

export const confirmFeedCode = (codeId: string, code: string) =>
  bodyOf(
    api.POST('/app/api/feed-codes/{codeId}/confirm', {
      params: { path: { codeId } },
      body: { code },
    }),
  );

const pollMs = 2_000;

/** An import with its progress, from events, or by asking if these do not work. */
export function useLiveImport(importId: string) {
  const queries = useQueryClient();
  const [isTold, setTold] = useState(false);
  const query = useQuery({
    ...importQuery(importId),
    refetchInterval: ({ state }) => (state.data?.state === 'running' && !isTold ? pollMs : false),
  });
  const isRunning = query.data?.state === 'running';
  useEffect(() => {
    if (!isRunning) return;
    const source = new EventSource(`/app/api/imports/${importId}/events`);
    source.addEventListener('import', ({ data }) => {
      setTold(true);
      queries.setQueryData(importQuery(importId).queryKey, JSON.parse(data) as Import);
    });
    source.onerror = () => setTold(false);
    return () => {
      source.close();
      setTold(false);
    };
  }, [importId, isRunning, queries]);
  return query;
}
