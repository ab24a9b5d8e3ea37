import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../../../../test/create-test-context.ts';
import { makePodcast, makeUser } from '../../../../../test/make.ts';
import { refusalOf } from '../../../../../test/refusal-of.ts';
import { newId } from '../../../../lib/uuid.ts';
import { type Context, transact } from '../../../foundation/context.ts';
import {
  addMember,
  changeMember,
  findOwnershipOffer,
  type GivenRole,
  inviteMember,
  leavePodcast,
  listInvitations,
  listMembers,
  offerOwnership,
  removeMember,
  revokeInvitation,
  setTeamKeys,
  updatePodcast,
  withdrawOwnership,
} from '../index.ts';

/** The order of the results below. The second custom role, `clerk`, may not manage the team. */
const members = [
  'owner',
  'admin',
  'editor',
  'analyst',
  'cohost',
  'lead',
  'clerk',
  'nobody',
] as const;
type Name = (typeof members)[number];

const lead: GivenRole = {
  role: 'custom',
  roleName: 'Lead',
  capabilities: ['episodes.edit', 'guests.private_notes', 'team.manage'],
};
const clerk: GivenRole = { role: 'custom', roleName: 'Clerk', capabilities: ['show.settings'] };

let test: TestContext;
let podcastId: string;
let users: Record<Name | 'otherAdmin' | 'otherEditor' | 'otherCohost', string>;
let invited: Record<'admin' | 'cohost', string>;
beforeAll(async () => {
  test = await createTestContext();
  const owner = await makeUser(test.ctx);
  podcastId = (await makePodcast(test.ctx, { owner })).id;
  const join = async (given: GivenRole) => {
    const { id: userId } = await makeUser(test.ctx);
    await addMember(test.ctx, { podcastId, userId, ...given });
    return userId;
  };
  users = {
    owner: owner.id,
    admin: await join({ role: 'admin' }),
    editor: await join({ role: 'editor' }),
    analyst: await join({ role: 'analyst' }),
    cohost: await join({ role: 'cohost' }),
    lead: await join(lead),
    clerk: await join(clerk),
    nobody: (await makeUser(test.ctx)).id,
    otherAdmin: await join({ role: 'admin' }),
    otherEditor: await join({ role: 'editor' }),
    otherCohost: await join({ role: 'cohost' }),
  };
  const invite = async (role: 'admin' | 'cohost') =>
    (await inviteMember(as('owner'), { podcastId, email: `${role}@example.com`, role })).id;
  invited = { admin: await invite('admin'), cohost: await invite('cohost') };
});
afterAll(() => test[Symbol.asyncDispose]());

const as = (name: Name) => test.contextFor({ kind: 'user', userId: users[name] });

class Undo extends Error {}

/**
 * Runs an action and undoes it: every cell begins with the same team. Those that count an attempt
 * don't run in a transaction, and leave only an invitation or an offer.
 */
async function attempt(
  ctx: Context,
  what: string,
  work: (ctx: Context) => Promise<unknown>,
): Promise<void> {
  if (/^(invite|offer) /.test(what)) {
    await work(ctx);
    return;
  }
  const tried = transact(ctx, async (tx) => {
    await work(tx);
    throw new Undo();
  });
  await tried.catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
}

const invite = (given: GivenRole) => (ctx: Context) =>
  inviteMember(ctx, { podcastId, email: `${newId()}@example.com`, ...given });
const change = (name: keyof typeof users, given: GivenRole) => (ctx: Context) =>
  changeMember(ctx, { podcastId, userId: users[name], ...given });
const remove = (name: keyof typeof users) => (ctx: Context) =>
  removeMember(ctx, { podcastId, userId: users[name] });
const takeBack = (name: keyof typeof invited) => (ctx: Context) =>
  revokeInvitation(ctx, { podcastId, invitationId: invited[name] });
const within: GivenRole = {
  role: 'custom',
  roleName: 'Within',
  capabilities: ['episodes.edit', 'team.manage'],
};
const beyond: GivenRole = {
  role: 'custom',
  roleName: 'Beyond',
  capabilities: ['episodes.edit', 'episodes.publish'],
};
const offer = (ctx: Context) =>
  offerOwnership(ctx, {
    podcastId,
    email: 'heir@example.com',
    currentPassword: 'correct horse',
  });

// + may, - gets forbidden, ? gets not_found.
const cells: readonly [string, string, (ctx: Context) => Promise<unknown>][] = [
  //                                      o a e y c l k n
  ['list the members', /*              */ '+ + - - - + - ?', (ctx) => listMembers(ctx, podcastId)],
  ['list invitations', /*              */ '+ + - - - + - ?', (c) => listInvitations(c, podcastId)],
  ['invite an admin', /*               */ '+ - - - - - - ?', invite({ role: 'admin' })],
  ['invite an editor', /*              */ '+ + - - - - - ?', invite({ role: 'editor' })],
  ['invite an analyst', /*             */ '+ + - - - - - ?', invite({ role: 'analyst' })],
  ['invite a co-host', /*              */ '+ + - - - + - ?', invite({ role: 'cohost' })],
  ['invite within a lead’s means', /*  */ '+ + - - - + - ?', invite(within)],
  ['invite beyond a lead’s means', /*  */ '+ + - - - - - ?', invite(beyond)],
  ['invite the clerk’s like', /*       */ '+ + - - - - - ?', invite(clerk)],
  ['change an admin', /*               */ '+ - - - - - - ?', change('otherAdmin', within)],
  ['make an admin', /*                 */ '+ - - - - - - ?', change('editor', { role: 'admin' })],
  ['make an analyst', /*               */ '+ + - - - - - ?', change('cohost', { role: 'analyst' })],
  ['change an editor to less', /*      */ '+ + - - - - - ?', change('otherEditor', within)],
  ['change the owner', /*              */ '- - - - - - - ?', change('owner', { role: 'admin' })],
  ['remove a co-host', /*              */ '+ + - - - + - ?', remove('otherCohost')],
  ['remove an editor', /*              */ '+ + - - - - - ?', remove('otherEditor')],
  ['remove an admin', /*               */ '+ - - - - - - ?', remove('otherAdmin')],
  ['remove the owner', /*              */ '- - - - - - - ?', remove('owner')],
  ['take a co-host’s invitation back', '+ + - - - + - ?', takeBack('cohost')],
  ['take an admin’s invitation back', /*  */ '+ - - - - - - ?', takeBack('admin')],
  ['leave', /*                         */ '- + + + + + + ?', (ctx) => leavePodcast(ctx, podcastId)],
  [
    'open the podcast to the team’s keys',
    '+ - - - - - - ?',
    (ctx) => setTeamKeys(ctx, { podcastId, allowed: true }),
  ],
  [
    'open it by way of the settings',
    '+ - - - - - - ?',
    (ctx) => updatePodcast(ctx, podcastId, { teamKeys: true }),
  ],
  ['offer the podcast', /*             */ '+ - - - - - - ?', offer],
  [
    'see the offer',
    /*                 */ '+ - - - - - - ?',
    (c) => findOwnershipOffer(c, podcastId),
  ],
  [
    'withdraw the offer',
    /*            */ '+ - - - - - - ?',
    (c) => withdrawOwnership(c, podcastId),
  ],
];

const responses: Readonly<Record<string, string>> = {
  '+': 'yes',
  '-': 'forbidden',
  '?': 'not_found',
};

describe.each(members)('%s', (name) => {
  it.each(
    cells.map(([what, row, work]) => [what, row.split(' ')[members.indexOf(name)], work] as const),
  )('%s: %s', async (what, cell, work) => {
    const tried = attempt(as(name), what, work);
    const heard = responses[cell ?? ''] === 'yes' ? await tried : (await refusalOf(tried)).kind;
    expect(heard ?? 'yes').toBe(responses[cell ?? '']);
  });
});

it('the public has no team', async () => {
  const ctx = test.contextFor({ kind: 'public' });
  for (const [what, , work] of cells) {
    const { kind } = await refusalOf(attempt(ctx, what, work));
    expect(['forbidden', 'not_found']).toContain(kind);
  }
});
