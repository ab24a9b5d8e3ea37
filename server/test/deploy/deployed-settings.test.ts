import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createConfig } from '../../src/config/config.ts';
import { parseSettings, readEnvironment } from '../../src/config/environment.ts';
import { type SettingName, settings } from '../../src/config/settings.ts';
import {
  deployFolder,
  type Manifest,
  readCompose,
  readDeployEnv,
  readDeployFile,
  readManifests,
} from './deploy-files.ts';

/** Settings of Node, and what the image itself sets. */
const otherNames = ['NODE_ENV', 'NODE_EXTRA_CA_CERTS', 'NODE_COMPILE_CACHE'];
const ofImage = { NODE_ENV: 'production', DATA_DIR: '/data', HOST: '0.0.0.0' };
const isKnown = (name: string) => name in settings || otherNames.includes(name);

/** What a process of Podstead gets in each of the files. */
function listEnvironments(): [where: string, env: Readonly<Record<string, string>>][] {
  const { services } = readCompose();
  const manifests = readManifests();
  return [
    ['podstead.env', readDeployEnv('podstead.env')],
    ...['podstead', 'worker', 'migrate'].map((name): [string, Record<string, string>] => [
      `compose.yaml: ${name}`,
      { ...ofImage, ...services[name]?.environment },
    ]),
    ...manifests.flatMap((manifest): [string, Record<string, string>][] => {
      const [container] = manifest.spec?.template?.spec.containers ?? [];
      if (container === undefined) return [];
      const env = Object.fromEntries((container.env ?? []).map(({ name, value }) => [name, value]));
      const from = (container.envFrom ?? []).map((source) => settingsOf(manifests, source));
      return [[`kubernetes: ${manifest.metadata.name}`, Object.assign({}, ofImage, ...from, env)]];
    }),
  ];
}

function settingsOf(
  manifests: readonly Manifest[],
  { configMapRef, secretRef }: Readonly<Record<string, { readonly name: string }>>,
): Readonly<Record<string, string>> {
  const name = (configMapRef ?? secretRef)?.name;
  const kind = configMapRef === undefined ? 'Secret' : 'ConfigMap';
  const found = manifests.find((other) => other.kind === kind && other.metadata.name === name);
  const values = found?.data ?? found?.stringData;
  if (values === undefined) throw new Error(`there is no ${kind} ${name}`);
  return values;
}

describe('deployed settings', () => {
  const environments = listEnvironments();

  it('deployed settings are found in each of the files', () => {
    expect(environments.map(([where]) => where)).toEqual([
      ...['podstead.env', 'compose.yaml: podstead', 'compose.yaml: worker'],
      ...['compose.yaml: migrate', 'kubernetes: podstead-migrate-0.1.0', 'kubernetes: podstead'],
      'kubernetes: podstead-worker',
    ]);
  });

  // SET-1
  it.each(environments)(
    '%s has only settings that exist, with values that are accepted',
    (_, env) => {
      expect(Object.keys(env).filter((name) => !isKnown(name))).toEqual([]);
      expect(Object.values(env).filter((value) => typeof value !== 'string')).toEqual([]);
      const start = (settings: typeof env) => () =>
        createConfig(parseSettings(readEnvironment(settings)));
      expect(start({ ...env, SECRET: 'x'.repeat(32) })).not.toThrow();
      // A copy that was not edited would serve with a secret that everybody knows.
      expect(start(env)).toThrow('SECRET');
    },
  );

  it.each(
    globSync('**/*', { cwd: deployFolder }).filter((file) => /\.(?:ya?ml|env|service)$/.test(file)),
  )('%s names only settings that exist in its comments, with values that are accepted', (file) => {
    const text = readFileSync(join(deployFolder, file), 'utf8');
    for (const [, name = '', value = ''] of text.matchAll(
      /^\s*# ([A-Z][A-Z0-9_]+)[:=] ?(\S.*)$/gm,
    )) {
      expect(isKnown(name), name).toBe(true);
      expect(() => settings[name as SettingName].parse(value), name).not.toThrow();
    }
  });

  it('serving processes leave the background work to the worker', () => {
    const serving = environments.filter(([where]) => /: podstead$/.test(where));
    expect(serving).toHaveLength(2);
    for (const [, env] of serving) expect(env['WORKER']).toBe('off');
  });

  it('compose.env has every variable of compose.yaml, and no other', () => {
    const used = [...readDeployFile('compose.yaml').matchAll(/(?<!\$)\$\{(\w+)/g)];
    const named = new Set(used.map(([, name]) => name));
    expect([...named].sort()).toEqual(Object.keys(readDeployEnv('compose.env')).sort());
  });

  it('the files that name an image name this version', () => {
    const root = new URL('../../../package.json', import.meta.url);
    const { version } = JSON.parse(readFileSync(root, 'utf8'));
    expect(readDeployEnv('compose.env')['PODSTEAD_VERSION']).toBe(version);
    const images = readManifests().flatMap(
      ({ spec }) => spec?.template?.spec.containers.map(({ image }) => image) ?? [],
    );
    expect(images).toEqual([1, 2, 3].map(() => `podstead:${version}`));
  });
});
