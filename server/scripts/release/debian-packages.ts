import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { extract } from 'tar-stream';
import { digestOf, type TarEntry } from './write-tar.ts';

/** As Debian and OCI name them. */
export type Architecture = 'amd64' | 'arm64';

export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  /** `sha256:…` of the .deb file. */
  readonly digest: string;
  /** Its control file, as dpkg keeps it. */
  readonly control: string;
  readonly entries: readonly TarEntry[];
}

/** What Node, native packages and /bin/sh need, with licenses; docs/decisions/0054 says why. */
const names = [
  ...['base-files', 'ca-certificates', 'dash', 'gcc-12-base', 'libc6', 'libgcc-s1', 'libstdc++6'],
];
const suites = ['bookworm', 'bookworm-updates', 'bookworm-security'];
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
const defaultSources = [
  'http://deb.debian.org/debian/ bookworm',
  'http://deb.debian.org/debian/ bookworm-updates',
  'http://deb.debian.org/debian-security/ bookworm-security',
];
const mostBytes = 256 * 1024 * 1024;

/**
 * Downloads the newest of the packages for Debian 12 with apt, into an empty folder. apt checks the
 * signature of the index with Debian's keys, and the hash of each package with the index. The
 * mirror is the one that this machine uses. Nothing on the machine changes.
 */
export async function fetchDebianPackages(
  architecture: Architecture,
  folder: string,
): Promise<readonly DebianPackage[]> {
  const apt = prepareApt(architecture, folder);
  apt('update', '--error-on=any', '-qq');
  apt('download', '-qq', ...names);
  const files = globSync('*.deb', { cwd: folder }).sort();
  return await Promise.all(files.map((file) => readDebianPackage(join(folder, file))));
}

/** apt with an index and a configuration of its own; it works in the folder. */
function prepareApt(architecture: Architecture, folder: string) {
  for (const name of ['lists/partial', 'cache/archives/partial']) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  const options = `[arch=${architecture} signed-by=${keyring}]`;
  const sources = findSources().map((source) => `deb ${options} ${source} main\n`);
  writeFileSync(join(folder, 'sources.list'), sources.join(''));
  writeFileSync(join(folder, 'status'), '');
  const settings = {
    'APT::Architecture': architecture,
    'APT::Architectures': architecture,
    // The folder belongs to this user, and apt otherwise downloads as another one.
    'APT::Sandbox::User': '',
    'Acquire::Languages': 'none',
    'Dir::Cache': join(folder, 'cache'),
    'Dir::Etc::SourceList': join(folder, 'sources.list'),
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::State::Lists': join(folder, 'lists'),
    'Dir::State::Status': join(folder, 'status'),
  };
  const given = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  return (...argv: string[]) => {
    execFileSync('apt-get', [...given, ...argv], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  };
}

/** `URL SUITE` of each part of Debian 12 that this machine's apt uses. */
function findSources(): readonly string[] {
  const format = ['--format', '$(REPO_URI) $(RELEASE)'];
  const printed = execFileSync('apt-get', ['indextargets', ...format, 'Created-By: Packages'], {
    encoding: 'utf8',
  });
  const lines = new Set(printed.split('\n').filter(isOfDebian));
  return lines.size >= suites.length ? [...lines].sort() : defaultSources;
}

function isOfDebian(source: string): boolean {
  const [url = '', suite = ''] = source.split(' ');
  return suites.includes(suite) && /\/debian(?:-security)?\/?$/.test(url);
}

/** Reads a .deb file. */
export async function readDebianPackage(file: string): Promise<DebianPackage> {
  const dpkgDeb = (option: string) =>
    execFileSync('dpkg-deb', [option, file], { maxBuffer: mostBytes });
  const control = String(dpkgDeb('--field'));
  const field = (name: string) => {
    const value = new RegExp(`^${name}: (.+)$`, 'm').exec(control)?.[1];
    if (value === undefined) throw new Error(`${basename(file)} has no ${name}.`);
    return value;
  };
  return {
    name: field('Package'),
    version: field('Version'),
    architecture: field('Architecture'),
    digest: digestOf(readFileSync(file)),
    control,
    entries: await readTar(dpkgDeb('--fsys-tarfile')),
  };
}

/** The entries of an uncompressed tar archive, without `./` before their paths. */
export async function readTar(bytes: Uint8Array): Promise<readonly TarEntry[]> {
  const entries: TarEntry[] = [];
  const reader = extract();
  Readable.from([bytes]).pipe(reader);
  for await (const entry of reader) {
    const { name, type, mode = 0o644, linkname } = entry.header;
    const path = name.replace(/^\.?\//, '').replace(/\/$/, '');
    const content = await buffer(entry);
    if (path === '') continue;
    if (type === 'directory') entries.push({ path, type, mode });
    else if (type === 'symlink') entries.push({ path, type, target: linkname ?? '' });
    else if (type === 'file') entries.push({ path, type, mode, read: () => content });
    else throw new Error(`${name} is neither a file, a folder nor a symbolic link.`);
  }
  return entries;
}
