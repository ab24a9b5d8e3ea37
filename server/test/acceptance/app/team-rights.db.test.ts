import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addMember,
  type GivenRole,
  inviteMember,
  type Podcast,
} from '../../../src/domain/publishing/podcasts/index.ts';
import { grantableCapabilities } from '../../../src/lib/team-roles.ts';
import { newId } from '../../../src/lib/uuid.ts';
import { type Browser, openSignedIn } from '../../create-browser.ts';
import { createTestApp, type TestApp } from '../../create-test-app.ts';
import { makePodcast, makeUser } from '../../make.ts';

let app: TestApp;

beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

type Capabilities = NonNullable<GivenRole['capabilities']>;
const custom = (...capabilities: Capabilities): GivenRole => ({
  role: 'custom',
  roleName: 'Helper',
  capabilities,
});

/** Everyone who manages a team. */
const managers: Readonly<Record<string, GivenRole>> = {
  owner: { role: 'owner' },
  admin: { role: 'admin' },
  'a custom role with every capability': custom(...grantableCapabilities),
  'a custom role with those of a co-host': custom(
    'team.manage',
    'episodes.edit',
    'guests.private_notes',
  ),
  'a custom role with nothing else': custom('team.manage'),
};
/** Everyone who may be managed, apart from the owner. */
const others: readonly GivenRole[] = [
  { role: 'admin' },
  { role: 'editor' },
  { role: 'analyst' },
  { role: 'cohost' },
  custom(),
  custom('team.manage'),
  custom('episodes.edit'),
  custom('analytics.view'),
];
const names = ['admin', 'editor', 'analyst', 'cohost', 'custom'] as const;

/** A role as the private API takes it. */
const wire = ({ role, roleName, capabilities }: GivenRole) => ({
  role,
  ...(role === 'custom' && { role_name: roleName, capabilities }),
});
const named = (role: (typeof names)[number]): GivenRole =>
  role === 'custom' ? custom() : { role };

interface Team {
  readonly browser: Browser;
  readonly podcast: Podcast;
  readonly url: string;
}

async function manage(role: GivenRole): Promise<Team> {
  const manager = await makeUser(app.ctx);
  const isOwner = role.role === 'owner';
  const podcast = await makePodcast(app.ctx, isOwner ? { owner: manager } : {});
  if (!isOwner) {
    await addMember(app.ctx, { podcastId: podcast.id, userId: manager.id, ...role });
  }
  const url = `/app/api/podcasts/${podcast.id}`;
  return { browser: await openSignedIn(app, manager), podcast, url };
}

async function addOther({ podcast }: Team, role: GivenRole): Promise<string> {
  const { id: userId } = await makeUser(app.ctx);
  await addMember(app.ctx, { podcastId: podcast.id, userId, ...role });
  return userId;
}

interface ListedMember {
  readonly user_id: string;
  readonly role: string;
  readonly may_become: readonly string[];
  readonly may_remove: boolean;
}

async function read({ browser, url }: Team) {
  const response = await browser.get(`${url}/members`);
  return response.json() as {
    data: ListedMember[];
    may_invite_as: string[];
    may_grant: string[];
  };
}
const find = async (team: Team, userId: string): Promise<ListedMember> => {
  const found = (await read(team)).data.find((member) => member.user_id === userId);
  if (found === undefined) throw new Error('no such member');
  return found;
};

const isAccepted = ({ statusCode, body }: { statusCode: number; body: string }): boolean => {
  expect([201, 204, 403], body).toContain(statusCode);
  return statusCode !== 403;
};

describe.each(Object.entries(managers))('the team as seen by %s', (_, role) => {
  it('the reported roles of each member are those that the manager can give', async () => {
    const team = await manage(role);
    for (const other of others) {
      const { may_become: reported } = await find(team, await addOther(team, other));
      const accepted: string[] = [];
      for (const name of names) {
        const userId = await addOther(team, other);
        const target = `${team.url}/members/${userId}`;
        if (isAccepted(await team.browser.send('PUT', target, wire(named(name))))) {
          accepted.push(name);
        }
      }
      expect([...reported], JSON.stringify(other)).toEqual(accepted);
    }
  });

  it('a member is reported as removable if the manager can remove them', async () => {
    const team = await manage(role);
    for (const other of others) {
      const userId = await addOther(team, other);
      const { may_remove: reported } = await find(team, userId);
      const removed = await team.browser.send('DELETE', `${team.url}/members/${userId}`);
      expect(isAccepted(removed), JSON.stringify(other)).toBe(reported);
    }
    const [owner] = (await read(team)).data;
    expect(owner).toMatchObject({ role: 'owner', may_become: [], may_remove: false });
    const target = `${team.url}/members/${owner?.user_id}`;
    expect(isAccepted(await team.browser.send('DELETE', target))).toBe(false);
    expect(isAccepted(await team.browser.send('PUT', target, { role: 'editor' }))).toBe(false);
  });

  it('the reported roles of an invitation are those that the manager can offer', async () => {
    const team = await manage(role);
    const { may_invite_as: reported, may_grant: grantable } = await read(team);
    const invite = async (offered: GivenRole) => {
      const body = { email: `${newId()}@example.com`, ...wire(offered) };
      return isAccepted(await team.browser.send('POST', `${team.url}/invitations`, body));
    };
    const accepted: string[] = [];
    for (const name of names) if (await invite(named(name))) accepted.push(name);
    expect(reported).toEqual(accepted);
    const granted: string[] = [];
    for (const name of grantableCapabilities) if (await invite(custom(name))) granted.push(name);
    expect(grantable).toEqual(granted);
  });

  it('an invitation is reported as manageable if the manager can repeat and withdraw it', async () => {
    const team = await manage(role);
    const owner = { kind: 'user', userId: (await read(team)).data[0]?.user_id ?? '' } as const;
    for (const offered of others) {
      const email = `${newId()}@example.com`;
      const invitation = { podcastId: team.podcast.id, email, ...offered };
      await inviteMember({ ...app.ctx, principal: owner }, invitation);
      const url = `${team.url}/invitations`;
      const open = async () =>
        (await team.browser.get(url)).json().data.find((one: { email: string }) => {
          return one.email === email;
        });
      const { may_manage: reported } = await open();
      const repeated = await team.browser.send('POST', url, { email, ...wire(offered) });
      expect(isAccepted(repeated), JSON.stringify(offered)).toBe(reported);
      const { id } = await open();
      const withdrawn = await team.browser.send('DELETE', `${url}/${id}`);
      expect(isAccepted(withdrawn), JSON.stringify(offered)).toBe(reported);
    }
  });
});

it('members who do not manage the team read nothing of it', async () => {
  for (const role of ['editor', 'analyst', 'cohost'] as const) {
    const { browser, url } = await manage({ role });
    expect((await browser.get(`${url}/members`)).statusCode).toBe(403);
    expect((await browser.get(`${url}/invitations`)).statusCode).toBe(403);
  }
});
