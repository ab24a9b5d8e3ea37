import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Architecture, DebianPackage } from './debian-packages.ts';
import { readElf } from './read-elf.ts';
import { readFolder } from './read-folder.ts';
import type { TarEntry } from './write-tar.ts';

/** A layer of the image. The next ones change more often. */
export interface Layer {
  readonly about: string;
  readonly entries: readonly TarEntry[];
  /** Whether each release changes it. The others must not, so that nobody downloads them again. */
  readonly isOfRelease: boolean;
}

export const imageUser = 10_001;
export const healthCommand = ['/usr/local/bin/node', '/usr/local/lib/podstead/health.js'];

const npmNames: Readonly<Record<Architecture, string>> = { amd64: 'x64', arm64: 'arm64' };

/** Libraries, the shell, the system's name, and licenses. Podstead uses nothing else. */
const keptOfDebian = [
  /^(?:usr\/)?lib(?:64)?\/(?:[^/]+-linux-gnu\/)?[^/]+\.so(?:\.[\d.]+)?$/,
  /^bin\/(?:dash|sh)$/,
  /^etc\/(?:debian_version|os-release)$/,
  /^usr\/lib\/os-release$/,
  /^usr\/share\/common-licenses\//,
  /^usr\/share\/doc\/[^/]+(?:\/copyright)?$/,
];
/** Debian 12 has these folders in /usr; packages still name them without it. */
const mergedFolders = ['bin', 'lib', 'lib64'];
/** Where runtimes mount file systems, also on a read-only one. */
const mountPoints = ['dev', 'proc', 'sys'];
const trusted = /^usr\/share\/ca-certificates\/mozilla\/.+\.crt$/;
/** In node_modules: what no program executes. TypeScript never runs there. */
const droppedOfPackages = [
  /\.(?:map|[cm]?ts)$/,
  /^(?:\.bin|\.package-lock\.json|node-linux-[^/]+)(?:\/|$)/,
  // The result of reading these files is in the image.
  /^@ip-location-db\/asn\/.+\.csv$/,
  // Samples of fonts, and weights that no card uses.
  /^@expo-google-fonts\/.+\.png$/,
  /^@expo-google-fonts\/[^/]+\/(?!(?:400Regular|700Bold)\/)[^/]+\//,
];

/**
 * The layers for one architecture: Debian's files, Node, the npm packages, and Podstead. `installed`
 * is the folder with the package and its production dependencies.
 */
export function listLayers(
  architecture: Architecture,
  debian: readonly DebianPackage[],
  installed: string,
): readonly Layer[] {
  const npm = npmNames[architecture];
  const packages = join(installed, 'node_modules');
  const layers = [
    lasting('Debian 12', [...debianFiles(debian), ...systemFiles(debian)]),
    lasting('Node', nodeFiles(join(packages, `node-linux-${npm}`))),
    lasting('npm packages', packageFiles(packages)),
    { about: 'Podstead', entries: programFiles(installed), isOfRelease: true },
  ];
  checkLibraries(
    architecture,
    layers.flatMap(({ entries }) => entries),
  );
  return layers;
}

function lasting(about: string, entries: readonly TarEntry[]): Layer {
  return { about, entries, isOfRelease: false };
}

function debianFiles(packages: readonly DebianPackage[]): readonly TarEntry[] {
  const merged = mergedFolders.map((name) => link(name, `usr/${name}`));
  const files = packages.flatMap(({ entries }) => entries).filter(isKeptOfDebian);
  const moved = files.map((entry) => {
    const [top = ''] = entry.path.split('/', 1);
    return mergedFolders.includes(top) ? { ...entry, path: `usr/${entry.path}` } : entry;
  });
  // Scanners find the packages of images without dpkg here.
  const described = packages.map(({ name, control }) =>
    text(`var/lib/dpkg/status.d/${name}`, control),
  );
  return [...merged, ...moved, ...described];
}

function isKeptOfDebian({ type, path }: TarEntry): boolean {
  return type !== 'directory' && keptOfDebian.some((pattern) => pattern.test(path));
}

function systemFiles(packages: readonly DebianPackage[]): readonly TarEntry[] {
  const certificates = packages
    .flatMap(({ entries }) => entries)
    .filter(({ path }) => trusted.test(path))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .map((entry) => (entry.type === 'file' ? Buffer.from(entry.read()).toString() : ''));
  const user = `podstead:x:${imageUser}:${imageUser}`;
  return [
    text('etc/passwd', `root:x:0:0:root:/root:/bin/sh\n${user}:Podstead:/data:/bin/sh\n`),
    text('etc/group', `root:x:0:\npodstead:x:${imageUser}:\n`),
    text('etc/hosts', '127.0.0.1 localhost\n::1 localhost\n'),
    text('etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files dns\n'),
    text('etc/ssl/certs/ca-certificates.crt', certificates.join('')),
    ...mountPoints.map((path) => ({ path, type: 'directory' as const, mode: 0o755 })),
    { path: 'tmp', type: 'directory', mode: 0o1777 },
    // Any user may run the image. Podstead removes the access of others from a folder of its user.
    { path: 'data', type: 'directory', mode: 0o777, uid: imageUser },
  ];
}

function nodeFiles(folder: string): readonly TarEntry[] {
  const [program, license] = [join(folder, 'bin/node'), join(folder, 'LICENSE')];
  return [
    file('usr/local/bin/node', 0o755, program),
    file('usr/local/share/doc/node/LICENSE', 0o644, license),
  ];
}

function packageFiles(folder: string): readonly TarEntry[] {
  const prefix = 'opt/podstead/node_modules';
  return readFolder(folder, prefix).filter(
    ({ type, path }) =>
      type !== 'directory' &&
      !droppedOfPackages.some((pattern) => pattern.test(path.slice(prefix.length + 1))),
  );
}

function programFiles(installed: string): readonly TarEntry[] {
  const ours = readFolder(installed, 'opt/podstead').filter(
    ({ type, path }) =>
      type !== 'directory' && !/^opt\/podstead\/(?:node_modules|bin)\//.test(path),
  );
  // Not the one of the npm package: the image doesn't have the programs that it calls.
  const program = '#!/bin/sh\nexec /usr/local/bin/node -- /opt/podstead/server/src/start.js "$@"\n';
  const health = fileURLToPath(new URL('health.js', import.meta.url));
  return [
    ...ours,
    text('usr/local/bin/podstead', program, 0o755),
    file('usr/local/lib/podstead/health.js', 0o644, health),
    text('usr/local/lib/podstead/package.json', '{ "type": "module" }\n'),
  ];
}

/**
 * Throws unless every program and library is for this architecture and finds the libraries and the
 * loader that it names.
 */
export function checkLibraries(architecture: Architecture, entries: readonly TarEntry[]): void {
  const names = new Set(entries.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)));
  for (const entry of entries) {
    const elf = entry.type === 'file' ? readElf(entry.read()) : undefined;
    if (elf === undefined) continue;
    if (elf.machine !== architecture) throw new Error(`${entry.path} is not for ${architecture}.`);
    const loader = elf.interpreter?.slice(elf.interpreter.lastIndexOf('/') + 1) ?? [];
    const missing = [...elf.needed, loader].flat().filter((name) => !names.has(name));
    if (missing.length > 0) throw new Error(`${entry.path} needs ${missing.join(', ')}.`);
  }
}

function link(path: string, target: string): TarEntry {
  return { path, type: 'symlink', target };
}

function text(path: string, content: string, mode = 0o644): TarEntry {
  return { path, type: 'file', mode, read: () => Buffer.from(content) };
}

function file(path: string, mode: number, source: string): TarEntry {
  if (!existsSync(source)) throw new Error(`${source} is missing.`);
  return { path, type: 'file', mode, read: () => readFileSync(source) };
}
