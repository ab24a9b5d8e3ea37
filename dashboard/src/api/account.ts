import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, dataOf } from './client.ts';

/** The plan with its limits, and what the account uses. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => dataOf(api.GET('/app/api/account', { signal })),
});

/** For ever. Refused while the person owns shows. */
export const deleteAccount = (currentPassword: string) =>
  bodyOf(api.POST('/app/api/account/deletion', { body: { current_password: currentPassword } }));
