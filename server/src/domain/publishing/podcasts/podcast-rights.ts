import { type Action, allows, type MemberRole } from '../../foundation/permissions/index.ts';

/** The actions behind each right; a member needs all of them. */
const actionsOf = {
  edit: ['podcast.edit'],
  check: ['podcast.check'],
  firstSteps: ['podcast.edit', 'podcast.check'],
  people: ['people.edit'],
  creditMembers: ['people.link'],
  move: ['podcast.move'],
  pause: ['podcast.pause'],
  delete: ['podcast.delete'],
  export: ['podcast.export'],
  setDomain: ['domain.manage'],
  webhooks: ['webhooks.manage'],
  import: ['podcast.import'],
  createEpisodes: ['episode.create'],
  deleteEpisodes: ['episode.delete'],
  analytics: ['analytics.read'],
  team: ['team.manage'],
  setTeamKeys: ['team_keys.set'],
  cutOffKeys: ['keys.cut_off'],
  offerOwnership: ['ownership.offer'],
  leave: ['team.belong'],
} as const satisfies Readonly<Record<string, readonly Action[]>>;

/** What a member may do with a podcast, so that a screen offers only that. */
export type PodcastRight = keyof typeof actionsOf;
export type PodcastRights = Readonly<Record<PodcastRight, boolean>>;

export function rightsOf(member: MemberRole): PodcastRights {
  const allowed = Object.entries<readonly Action[]>(actionsOf).map(([right, actions]) => [
    right,
    actions.every((action) => allows(member, action)),
  ]);
  const may = Object.fromEntries(allowed) as PodcastRights;
  return {
    ...may,
    // A feed is imported into shows of the user's own account.
    import: may.import && isOwner(member),
    leave: may.leave && mayLeave(member),
  };
}

export const isOwner = ({ role }: Pick<MemberRole, 'role'>): boolean => role === 'owner';

/** There is always an owner: they hand the podcast over first. */
export const mayLeave = (member: Pick<MemberRole, 'role'>): boolean => !isOwner(member);
