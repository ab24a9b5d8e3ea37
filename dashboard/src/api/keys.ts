import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, dataOf } from './client.ts';
import type { components, operations } from './schema.d.ts';

export type Key = components['schemas']['Key'];
export type KeyList = components['schemas']['KeyList'];
export type KeyWithSecret = components['schemas']['KeyWithSecret'];
type Body<O extends keyof operations> = operations[O] extends {
  requestBody: { content: { 'application/json': infer B } };
}
  ? B
  : never;

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => bodyOf(api.GET('/app/api/keys', { signal })),
});

/** The response is the only one that has the secret. */
export const createKey = (body: Body<'createKey'>) => dataOf(api.POST('/app/api/keys', { body }));

/** The response is the only one that has the new secret. */
export const rollKey = (keyId: string, body: Body<'rollKey'>) =>
  dataOf(api.POST('/app/api/keys/{keyId}/roll', { params: { path: { keyId } }, body }));

/** Adds access, and removes none. */
export const widenKey = (keyId: string, body: Body<'widenKey'>) =>
  dataOf(api.POST('/app/api/keys/{keyId}/widen', { params: { path: { keyId } }, body }));

export const revokeKey = (keyId: string) =>
  bodyOf(api.DELETE('/app/api/keys/{keyId}', { params: { path: { keyId } } }));

/** Includes those of connected sites. */
export const revokeAllKeys = () => bodyOf(api.DELETE('/app/api/keys'));
