import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, dataOf } from './client.ts';
import type { components } from './schema.d.ts';

/** The plan with its limits, and what the account uses. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => dataOf(api.GET('/app/api/account', { signal })),
});

export const emailChoicesQuery = queryOptions({
  queryKey: ['account', 'emails'],
  queryFn: ({ signal }) => dataOf(api.GET('/app/api/account/emails', { signal })),
});

export type OptionalEmail = components['schemas']['EmailChoices']['optional'][number];

export const chooseEmails = (unwanted: OptionalEmail[]) =>
  bodyOf(api.PUT('/app/api/account/emails', { body: { unwanted } }));

/** For ever. Refused while the person owns shows. */
export const deleteAccount = (currentPassword: string) =>
  bodyOf(api.POST('/app/api/account/deletion', { body: { current_password: currentPassword } }));
