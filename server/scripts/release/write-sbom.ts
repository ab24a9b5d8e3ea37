import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Architecture, DebianPackage } from './debian-packages.ts';
import type { Release } from './oci-archive.ts';
import { type LockedPackage, type LockedPackages, reach } from './production-lock.ts';

/** An entry of `components` of CycloneDX 1.5. */
interface Component {
  readonly 'bom-ref': string;
  readonly type: 'library';
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly [field: string]: unknown;
}

interface Sbom {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const moduleName = /(?:from |import |import\()'(@[^/']+\/[^/']+|[a-z][^/':]*)(?:\/[^']*)?'/g;
const isOfTests = /\.test\.tsx?$/;

/** What npm says of the locked packages of the folder with the published package. */
export function readNpmSbom(folder: string): Sbom {
  const argv = ['sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx'];
  return JSON.parse(execFileSync('npm', argv, { cwd: folder, encoding: 'utf8' }));
}

/**
 * The software bill of materials: what npm says, what is in the bundle of the dashboard, and the
 * Debian packages of the images. Two builds of one commit give the same text: it names the time of
 * the commit, and its number derives from its content.
 */
export function describeComponents(
  npm: Sbom,
  bundled: readonly Component[],
  debian: ReadonlyMap<Architecture, readonly DebianPackage[]>,
  release: Release,
): object {
  const known = new Set(npm.components.map((component) => component['bom-ref']));
  const system = [...debian].flatMap(([architecture, packages]) =>
    packages.map((entry) => describeDebian(entry, architecture)),
  );
  const added = [...bundled.filter((entry) => !known.has(entry['bom-ref'])), ...system];
  const { component } = npm.metadata;
  const root = component['bom-ref'];
  const addedRefs = added.map((entry) => entry['bom-ref']);
  const components = [...npm.components, ...added].sort(byReference);
  const dependencies = npm.dependencies.map((entry) =>
    entry.ref === root ? { ...entry, dependsOn: [...entry.dependsOn, ...addedRefs] } : entry,
  );
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify([release, components]))}`,
    version: 1,
    metadata: {
      timestamp: new Date(release.epochSeconds * 1_000).toISOString(),
      component: { ...component, type: 'application', name: 'podstead' },
    },
    components,
    dependencies: [...dependencies, ...addedRefs.map((ref) => ({ ref, dependsOn: [] }))],
  };
}

/** The packages that the sources of the dashboard import, and what these need. */
export function listBundled(dashboard: string, locked: LockedPackages): readonly Component[] {
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: dashboard });
  const imported = sources
    .filter((name) => !isOfTests.test(name))
    .flatMap((name) => [...readFileSync(join(dashboard, name), 'utf8').matchAll(moduleName)])
    .map(([, name = '']) => name);
  const paths = reach(locked, [...new Set(imported)], false, 'dashboard');
  const described = [...paths].map((path) => describeNpm(path, locked[path] ?? {}));
  return [...new Map(described.map((entry) => [entry['bom-ref'], entry])).values()];
}

function describeNpm(path: string, entry: LockedPackage): Component {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const [, hash = ''] = String(entry['integrity'] ?? '').split('sha512-');
  return {
    'bom-ref': `${name}@${entry.version}`,
    type: 'library',
    name,
    version: entry.version ?? '',
    scope: 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${entry.version}`,
    properties: [{ name: 'podstead:bundled', value: 'dashboard' }],
    hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }],
    ...(entry.license !== undefined && { licenses: [{ expression: entry.license }] }),
  };
}

function describeDebian(entry: DebianPackage, architecture: Architecture): Component {
  const version = encodeURIComponent(entry.version);
  // The packages for all architectures are in both images.
  const purl = `pkg:deb/debian/${entry.name}@${version}?arch=${entry.architecture}&distro=debian-12`;
  return {
    'bom-ref': `${purl}&image=${architecture}`,
    type: 'library',
    name: entry.name,
    version: entry.version,
    scope: 'required',
    purl,
    properties: [{ name: 'podstead:image', value: architecture }],
    hashes: [{ alg: 'SHA-256', content: entry.digest.slice('sha256:'.length) }],
  };
}

function byReference(a: Component, b: Component): number {
  return a['bom-ref'] < b['bom-ref'] ? -1 : 1;
}

/** A UUID of version 8: its bits are a hash. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}
