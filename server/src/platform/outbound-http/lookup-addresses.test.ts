import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { createLookup, HostsFile } from './lookup-addresses.ts';

const noHosts = { names: async () => false };
const failing = (code: string) => async () => {
  throw Object.assign(new Error(code), { code });
};
const never = () => new Promise<string[]>(() => undefined);

describe('a name', () => {
  it('a name is looked up in DNS, with both kinds of addresses', async () => {
    const system = vi.fn(never);
    const dns = { resolve4: async () => ['8.8.8.8'], resolve6: async () => ['2001:4860::1'] };
    const lookup = createLookup({ dns, system, hosts: noHosts });
    expect(await lookup('blog.example.com')).toEqual(['8.8.8.8', '2001:4860::1']);
    expect(system).not.toHaveBeenCalled();
  });

  it('a name may have addresses of one kind', async () => {
    const dns = { resolve4: failing('ENODATA'), resolve6: async () => ['2001:4860::1'] };
    const lookup = createLookup({ dns, system: never, hosts: noHosts });
    expect(await lookup('blog.example.com')).toEqual(['2001:4860::1']);
  });

  it('a name is looked up by the system if DNS does not know it', async () => {
    const dns = { resolve4: failing('ENOTFOUND'), resolve6: failing('ENOTFOUND') };
    const lookup = createLookup({ dns, system: async (name) => [`${name}!`], hosts: noHosts });
    expect(await lookup('nas.local')).toEqual(['nas.local!']);
    const lost = createLookup({ dns, system: failing('EAI_AGAIN'), hosts: noHosts });
    await expect(lost('blog.example.com')).rejects.toThrow('EAI_AGAIN');
  });

  it('a name is looked up by the system alone if the hosts file has it, or if it is one word', async () => {
    const resolve = vi.fn(never);
    const dns = { resolve4: resolve, resolve6: resolve };
    const hosts = { names: async (name: string) => name === 'blog.test' };
    const lookup = createLookup({ dns, system: async () => ['127.0.0.1'], hosts });
    expect(await lookup('blog.test')).toEqual(['127.0.0.1']);
    expect(await lookup('localhost')).toEqual(['127.0.0.1']);
    expect(resolve).not.toHaveBeenCalled();
  });

  it('a name does not wait for names without a response, and few of those wait at a time', async () => {
    const resolve4 = (name: string) =>
      name.startsWith('dead') ? failing('ETIMEOUT')() : Promise.resolve(['8.8.8.8']);
    const dns = { resolve4, resolve6: failing('ETIMEOUT') };
    const system = vi.fn(never);
    const lookup = createLookup({ dns, system, hosts: noHosts });
    const dead = Array.from({ length: 100 }, (_, at) => lookup(`dead${at}.example.com`));
    const refused = await Promise.allSettled(dead.slice(32));
    expect(refused.every(({ status }) => status === 'rejected')).toBe(true);
    expect(await lookup('alive.example.com')).toEqual(['8.8.8.8']);
    expect(system).toHaveBeenCalledTimes(1);
  });
});

describe('a hosts file', () => {
  it('a hosts file has the names of its lines, and those it gets later', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'podstead-hosts-'));
    const path = join(folder, 'hosts');
    const hosts = new HostsFile(path);
    expect(await hosts.names('blog.test')).toBe(false);
    await writeFile(
      path,
      '# local\n127.0.0.1\tlocalhost Blog.test # not.this\n#10.0.0.1 nor.this\n',
    );
    for (const name of ['localhost', 'blog.test', 'BLOG.TEST', 'blog.test.']) {
      expect(await hosts.names(name)).toBe(true);
    }
    for (const name of ['not.this', 'nor.this', '127.0.0.1', '#']) {
      expect(await hosts.names(name)).toBe(false);
    }
    await writeFile(path, '10.0.0.1 later.test\n');
    await utimes(path, new Date(0), new Date(5_000));
    expect(await hosts.names('later.test')).toBe(true);
    expect(await hosts.names('blog.test')).toBe(false);
    await rm(folder, { recursive: true });
  });
});
