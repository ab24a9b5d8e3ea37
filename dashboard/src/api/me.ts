import { queryOptions } from '@tanstack/react-query';
import { adoptLanguage } from '../shell/account-language.ts';
import { noteUser } from '../shell/signed-in-user.ts';
import { api, bodyOf, dataOf } from './client.ts';

export const meQuery = queryOptions({
  queryKey: ['me'],
  async queryFn({ signal }) {
    const me = await dataOf(api.GET('/app/api/me', { signal }));
    noteUser(me.user.id);
    adoptLanguage(me.user.language);
    return me;
  },
  staleTime: 60_000,
});

export const signIn = (body: { email: string; password: string }) =>
  bodyOf(api.POST('/app/api/sign-in', { body }));

export const signOut = () => bodyOf(api.POST('/app/api/sign-out', { body: {} }));

export const changeName = (name: string) => bodyOf(api.PATCH('/app/api/me', { body: { name } }));

/** Emails a link to the new address. The change takes effect when that is opened. */
export const changeEmail = (body: { email: string; current_password: string }) =>
  bodyOf(api.POST('/app/api/me/email', { body }));

/** Ends all other sessions and every key. */
export const changePassword = (body: { current_password: string; password: string }) =>
  bodyOf(api.POST('/app/api/password', { body }));

export const acceptTerms = (version: string) =>
  bodyOf(api.POST('/app/api/terms', { body: { version } }));
