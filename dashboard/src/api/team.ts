import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, dataOf } from './client.ts';
import type { components } from './schema.d.ts';

export type Invitation = components['schemas']['Invitation'];
export type Member = components['schemas']['Member'];
export type Team = components['schemas']['Team'];
/** The role of a member who is not the owner. */
export type MemberRole = Team['may_invite_as'][number];
export type Capability = Team['may_grant'][number];

/** A role as a request gives it: name and capabilities only for `custom`. */
export interface GivenRole {
  readonly role: MemberRole;
  readonly role_name?: string;
  readonly capabilities?: string[];
}

const path = (podcastId: string) => ({ path: { podcastId } });

/** The members, and what the person may do with the team. */
export const teamQuery = (podcastId: string) =>
  queryOptions({
    queryKey: ['team', podcastId, 'members'],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/app/api/podcasts/{podcastId}/members', { params: path(podcastId), signal })),
  });

export const invitationsQuery = (podcastId: string) =>
  queryOptions({
    queryKey: ['team', podcastId, 'invitations'],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/app/api/podcasts/{podcastId}/invitations', { params: path(podcastId), signal }),
      ),
  });

/** The open offer of the show, or null. */
export const offerQuery = (podcastId: string) =>
  queryOptions({
    queryKey: ['team', podcastId, 'offer'],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/app/api/podcasts/{podcastId}/ownership-offer', {
          params: path(podcastId),
          signal,
        }),
      ),
  });

/** The episodes that credit a member themselves. */
export const creditsQuery = (podcastId: string, userId: string) =>
  queryOptions({
    queryKey: ['team', podcastId, 'credits', userId],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/app/api/podcasts/{podcastId}/members/{userId}/credits', {
          params: { path: { podcastId, userId } },
          signal,
        }),
      ),
  });

export const creditMember = (podcastId: string, userId: string, episodeIds: string[]) =>
  dataOf(
    api.POST('/app/api/podcasts/{podcastId}/members/{userId}/credits', {
      params: { path: { podcastId, userId } },
      body: { episode_ids: episodeIds },
    }),
  );

export const changeMember = (podcastId: string, userId: string, body: GivenRole) =>
  bodyOf(
    api.PUT('/app/api/podcasts/{podcastId}/members/{userId}', {
      params: { path: { podcastId, userId } },
      body,
    }),
  );

export const removeMember = (podcastId: string, userId: string) =>
  bodyOf(
    api.DELETE('/app/api/podcasts/{podcastId}/members/{userId}', {
      params: { path: { podcastId, userId } },
    }),
  );

export const leavePodcast = (podcastId: string) =>
  bodyOf(api.POST('/app/api/podcasts/{podcastId}/leave', { params: path(podcastId), body: {} }));

export const inviteMember = (podcastId: string, body: GivenRole & { readonly email: string }) =>
  dataOf(api.POST('/app/api/podcasts/{podcastId}/invitations', { params: path(podcastId), body }));

export const revokeInvitation = (podcastId: string, invitationId: string) =>
  bodyOf(
    api.DELETE('/app/api/podcasts/{podcastId}/invitations/{invitationId}', {
      params: { path: { podcastId, invitationId } },
    }),
  );

export const offerOwnership = (
  podcastId: string,
  body: { email: string; current_password: string },
) =>
  dataOf(
    api.POST('/app/api/podcasts/{podcastId}/ownership-offer', { params: path(podcastId), body }),
  );

export const withdrawOwnership = (podcastId: string) =>
  bodyOf(api.DELETE('/app/api/podcasts/{podcastId}/ownership-offer', { params: path(podcastId) }));

/** Whether members may use keys for the show. */
export const setTeamKeys = (podcastId: string, allowed: boolean) =>
  bodyOf(
    api.PUT('/app/api/podcasts/{podcastId}/team-keys', {
      params: path(podcastId),
      body: { allowed },
    }),
  );

/** Permanently ends the access of all existing keys to the show. */
export const cutOffKeys = (podcastId: string) =>
  dataOf(
    api.POST('/app/api/podcasts/{podcastId}/keys/cut-off', { params: path(podcastId), body: {} }),
  );
