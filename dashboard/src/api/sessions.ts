import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, dataOf } from './client.ts';
import type { components } from './schema.d.ts';

export type Session = components['schemas']['Session'];

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => dataOf(api.GET('/app/api/sessions', { signal })),
});

export const endSession = (sessionId: string) =>
  bodyOf(api.DELETE('/app/api/sessions/{sessionId}', { params: { path: { sessionId } } }));

export const endOtherSessions = () => bodyOf(api.DELETE('/app/api/sessions'));
