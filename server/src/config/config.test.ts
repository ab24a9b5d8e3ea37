import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createConfig, loadConfig } from './config.ts';
import { ConfigError, parseSettings, readEnvironment } from './environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'podstead-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (env: Record<string, string>) =>
  createConfig(parseSettings(readEnvironment({ DATA_DIR: folder, ...env })));

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('createConfig', () => {
  // ACCT-3, SET-3, SET-7
  it('createConfig has sensible defaults', () => {
    const config = read({});
    expect(config).toMatchObject({
      baseUrl: 'http://localhost:3000',
      embedUrl: 'http://localhost:3000',
      database: { kind: 'embedded', dataDir: join(folder, 'database') },
      blobs: { kind: 'disk', folder: join(folder, 'blobs') },
      mail: { smtpUrl: undefined, folder: join(folder, 'emails') },
      http: { port: 3000, host: '127.0.0.1', trustProxy: 0, publicRateLimit: 600 },
      defaultPlan: 'enterprise',
      worker: true,
      signUp: true,
      publicDirectory: false,
      diskReserveBytes: 268_435_456,
      overageSuspend: false,
    });
  });

  // NOTIFY-1, NOTIFY-8, NOTIFY-9
  it('createConfig names who is told of changed feeds', () => {
    expect(read({}).feedNotifications).toEqual({
      ownHub: { url: 'http://localhost:3000/hub', allowsHttp: false },
      externalHubs: [],
      podcastIndexUrl: 'https://api.podcastindex.org',
      podping: undefined,
    });
    const given = read({
      WEBSUB_HUBS: 'https://hub.example, http://b.example/?c=d,https://hub.example/',
      PODCAST_INDEX_URL: 'https://index.example/base/',
      PODPING_TOKEN: 'one-word',
      OUTBOUND_ALLOW: '10.0.0.0/8',
    });
    expect(given.feedNotifications).toEqual({
      ownHub: { url: 'http://localhost:3000/hub', allowsHttp: true },
      externalHubs: ['https://hub.example/', 'http://b.example/?c=d'],
      podcastIndexUrl: 'https://index.example/base',
      podping: { url: 'https://podping.cloud/', token: 'one-word' },
    });
    expect(read({ WEBSUB: 'off' }).feedNotifications.ownHub).toBeUndefined();
    expect(read({ PODCAST_INDEX: 'off' }).feedNotifications.podcastIndexUrl).toBeUndefined();
  });

  it('settings of feed notifications that no request could use are refused', () => {
    const bad = {
      WEBSUB_HUBS: 'https://hub.example/,hub.example',
      PODCAST_INDEX: 'maybe',
      PODCAST_INDEX_URL: 'https://index.example/?key=1',
      PODPING_TOKEN: 'two words',
      PODPING_URL: 'https://user@podping.example/',
    };
    expect(problemsOf(bad).map((problem) => problem.split(' ')[0])).toEqual(Object.keys(bad));
  });

  it('follows PORT and BASE_URL', () => {
    expect(read({ PORT: '4000' }).baseUrl).toBe('http://localhost:4000');
    const config = read({ BASE_URL: 'https://Pod.Example.com/' });
    expect([config.baseUrl, config.embedUrl]).toEqual(Array(2).fill('https://pod.example.com'));
  });

  it('takes the sender from MAIL_FROM, or from BASE_URL', () => {
    const from = (env: Record<string, string>) => read(env).mail.from;
    expect(from({ MAIL_FROM: 'Our shows <shows@example.com>' })).toEqual({
      name: 'Our shows',
      address: 'shows@example.com',
    });
    expect(from({ MAIL_FROM: 'shows@example.com' })).toMatchObject({ name: '' });
    expect(from({ BASE_URL: 'https://pods.example.com' })).toEqual({
      name: 'Podstead',
      address: 'no-reply@pods.example.com',
    });
    for (const BASE_URL of ['http://127.0.0.1:3000', 'http://[::1]:3000', 'http://localhost']) {
      expect(from({ BASE_URL }).address).toBe('no-reply@localhost');
    }
    for (const MAIL_FROM of ['shows', 'a@b.c, d@e.f', 'x\r\nBcc: e <a@b.c>', '<a@b.c> <d@e.f>']) {
      expect(problemsOf({ MAIL_FROM })).toEqual([
        expect.stringMatching(/^MAIL_FROM must be an email address/),
      ]);
    }
  });

  it('wants a folder of user-agent lists that exists', () => {
    expect(read({ AGENT_LISTS: folder }).agentLists).toBe(folder);
    expect(problemsOf({ AGENT_LISTS: '/nowhere' })).toEqual([
      'AGENT_LISTS must name a readable folder.',
    ]);
  });

  // SET-4
  it('generates its secret once, readable only by its owner', () => {
    const { secret } = read({});
    expect(secret.length).toBeGreaterThanOrEqual(32);
    expect(read({}).secret.equals(secret)).toBe(true);
    const file = join(folder, 'secret');
    expect(readFileSync(file).equals(secret)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  // SET-2
  it('reports every problem at once, and repeats no value', () => {
    const problems = problemsOf({
      PORT: '99999',
      BASE_URL: 'ftp://x',
      SECRET: 'short',
      DEFAULT_PLAN: 'gold',
      OUTBOUND_ALLOW: '10.0.0.0/8, nonsense',
      WORKER: 'maybe',
    });
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'PORT',
      'BASE_URL',
      'SECRET',
      'OUTBOUND_ALLOW',
      'DEFAULT_PLAN',
      'WORKER',
    ]);
    expect(problems.join()).not.toContain('short');
  });

  // SET-4
  it('requires SECRET with a database server', () => {
    const url = 'postgres://x@localhost/x';
    expect(problemsOf({ DATABASE_URL: url })).toEqual([expect.stringMatching(/^SECRET is req/)]);
    expect(read({ DATABASE_URL: url, SECRET: 'x'.repeat(32) }).database.kind).toBe('server');
  });

  // DB-1
  it.each([
    'postgres://u:p@a:5432,b:5432/x?target_session_attrs=read-write',
    'postgres://a,b/db',
    'postgres://u:p,w@[::1],b:5433/db',
    'postgres://u:p@a/db?host=a,b&port=5433',
  ])('accepts several database hosts: %s', (url) => {
    const { database } = read({ DATABASE_URL: url, SECRET: 'x'.repeat(32) });
    expect(database).toMatchObject({ kind: 'server', url });
  });

  it.each([
    ['postgres://u:p/w@a,b/db', /is not a valid URL: in its user/],
    ['postgres://u:secret@a,b,c/db?port=1,2', /names 2 ports for 3 hosts/],
    ['postgres://u:secret@a,b/db?target_session_attrs=x', /an unknown target_session_attrs/],
  ])('says what is wrong about %s', (url, message) => {
    const problems = problemsOf({ DATABASE_URL: url, SECRET: 'x'.repeat(32) });
    expect(problems).toEqual([expect.stringMatching(message)]);
    expect(problems.join()).not.toContain('secret');
  });

  // DB-7
  it('requires DATABASE_URL with DATABASE_LISTEN_URL', () => {
    const url = 'postgres://x@localhost/x';
    expect(problemsOf({ DATABASE_LISTEN_URL: url })).toEqual([
      expect.stringMatching(/^DATABASE_URL is required with DATABASE_LISTEN_URL/),
    ]);
  });

  it.each(['p,w', 'p@w', 'p%2Fw%3F%23', "!$&'()*+;=:", 'ü %C3%BC', '50%', '%,%'])(
    'accepts the password %s in the URL of every server',
    (password) => {
      const of = (scheme: string) => `${scheme}://user:${password}@host.example/1`;
      const config = read({
        DATABASE_URL: of('postgres'),
        REDIS_URL: of('redis'),
        SMTP_URL: of('smtp'),
        SECRET: 'x'.repeat(32),
      });
      const urls = [(config.database as { url: string }).url, config.redisUrl, config.mail.smtpUrl];
      const encoded = password.replaceAll(/%(?![\dA-F])/g, '%25');
      for (const url of urls) {
        expect(new URL(url as string).hostname).toBe('host.example');
        expect(decodeURIComponent(new URL(url as string).password)).toBe(
          decodeURIComponent(encoded),
        );
      }
    },
  );

  it.each(['12/x', '12#x', 'p/w', 'p?w', 'a,b/c', '%ff'])(
    'says how to write the password %s, without repeating it',
    (password) => {
      const names = { DATABASE_URL: 'postgres', REDIS_URL: 'redis', SMTP_URL: 'smtp' };
      for (const [name, scheme] of Object.entries(names)) {
        const env = { [name]: `${scheme}://u:${password}@host.example`, SECRET: 'x'.repeat(32) };
        const problems = problemsOf(env);
        expect(problems).toEqual([
          expect.stringMatching(`^${name} is not a valid URL: in its user`),
        ]);
        expect(problems.join()).not.toContain('host.example');
      }
    },
  );

  it('createConfig refuses a place for backups that is none, or whose access is missing', () => {
    const form = 'BACKUP_TO must be a folder or s3://BUCKET/PREFIX.';
    for (const place of ['s3://', 'https://backups.example', 'S3:bucket', ' '])
      expect(problemsOf({ BACKUP_TO: place }), place).toEqual([form]);
    expect(problemsOf({ BACKUP_TO: 's3://bucket/podstead' })).toEqual([
      'S3_ACCESS_KEY_ID is required with a bucket in BACKUP_TO.',
      'S3_SECRET_ACCESS_KEY is required with a bucket in BACKUP_TO.',
    ]);
    expect(read({ BACKUP_TO: '/mnt/backups' }).backups?.target).toBe('/mnt/backups');
  });

  it('requires credentials with a bucket, and refuses X_ACCEL_REDIRECT', () => {
    const problems = problemsOf({ S3_BUCKET: 'b', X_ACCEL_REDIRECT: '/_blobs/' });
    expect(problems).toHaveLength(3);
  });

  it('CARD_FONTS lists files of fonts', () => {
    const font = fileURLToPath(
      import.meta.resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf'),
    );
    expect(read({}).cardFonts).toEqual([]);
    expect(read({ CARD_FONTS: `${font}, ${font}` }).cardFonts).toEqual([font, font]);
    for (const other of [`${font},`, '/nowhere.ttf', import.meta.filename])
      expect(problemsOf({ CARD_FONTS: other }), other).toHaveLength(1);
  });

  it('requires TERMS_VERSION with TERMS_URL', () => {
    const url = 'https://example.com/terms';
    expect(problemsOf({ TERMS_URL: url })).toEqual([expect.stringMatching(/^TERMS_VERSION is/)]);
    expect(problemsOf({ TERMS_VERSION: '1', TERMS_URL: 'javascript:alert(1)' })).toHaveLength(1);
    expect(read({ TERMS_VERSION: '1', TERMS_URL: url }).terms).toEqual({ version: '1', url });
  });

  // SET-5
  it('reads proxies as hops or networks', () => {
    expect(read({ TRUST_PROXY: '2' }).http.trustProxy).toBe(2);
    expect(read({ TRUST_PROXY: '10.0.0.0/8,::1' }).http.trustProxy).toEqual(['10.0.0.0/8', '::1']);
  });

  // SET-1
  it('treats an empty variable as unset, and prefers the environment to .env', () => {
    const settings = readEnvironment({ PORT: '', HOST: '::1' }, { HOST: '0.0.0.0', PORT: '4' });
    const of = (name: string) => settings.find((setting) => setting.name === name);
    expect(of('PORT')).toMatchObject({ text: '4', source: '.env' });
    expect(of('HOST')).toMatchObject({ text: '::1', source: 'environment' });
    expect(of('DATABASE_URL')).toMatchObject({ text: undefined, source: 'unset' });
  });
});

describe('a problem', () => {
  // SET-2
  it('a problem is reported together with all others', () => {
    const problems = problemsOf({
      LOG_LEVEL: 'loud',
      S3_BUCKET: 'b',
      SMTP_URL: 'smtp://',
      PORT: '4000',
      METRICS_PORT: '4000',
      TERMS_URL: 'nowhere',
      DATABASE_URL: 'postgres://127.0.0.1/x',
    });
    const named = (name: string) => expect.stringMatching(new RegExp(`^${name} `));
    const names = ['SMTP_URL', 'TERMS_URL', 'LOG_LEVEL', 'SECRET', 'TERMS_VERSION', 'METRICS_PORT'];
    const keys = ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];
    expect(problems).toEqual([...names, ...keys].map(named));
  });

  it('a problem of an invalid value is not reported as a missing one', () => {
    const env = { DATABASE_URL: 'postgres://127.0.0.1/x', SECRET: 'short' };
    expect(problemsOf(env)).toEqual(['SECRET must have at least 32 bytes.']);
  });

  it('a problem may come from a misspelled name, which is reported with it', () => {
    const env = { DATA_DIR: folder, NODE_ENV: 'production', S3_ACESS_KEY_ID: 'a' };
    expect(loadConfig(env).warnings).toEqual([
      'S3_ACESS_KEY_ID is not a setting. Did you mean S3_ACCESS_KEY_ID?',
    ]);
    expect(() => loadConfig({ ...env, S3_BUCKET: 'b', S3_SECRET_ACCESS_KEY: 's' })).toThrow(
      /S3_ACCESS_KEY_ID is required[\s\S]*S3_ACESS_KEY_ID is not a setting/,
    );
  });

  it.each(['smtp:///', 'smtp:mail', 'smtps://'])('SMTP_URL=%s has no host', (SMTP_URL) => {
    expect(problemsOf({ SMTP_URL })).toEqual([
      expect.stringContaining("SMTP_URL must name the mail server's host"),
    ]);
  });
});
