/** An entry of `packages` in a package-lock.json, as far as it matters here. */
export interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** A package.json, as far as it matters here. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

/** Flags that npm derives from who needs a package: they differ without the other workspaces. */
const derivedFlags = ['dev', 'devOptional', 'optional', 'peer'];

/**
 * Left out with them: npm compares `engines` with the machine's Node, which doesn't run Podstead. It would
 * silently leave out optional packages, such as the libraries of sharp, on Debian 12's Node 18.
 */
const leftOut = [...derivedFlags, 'engines'];

/**
 * The npm-shrinkwrap.json of the published package: what the repository's lock file says of the
 * packages that `manifest` needs. Packages of the folder `server` move to the root, because the
 * published package is one package and not a workspace. `added` are packages that the repository's
 * lock doesn't have. Throws if two packages would have the same place, or if a package would find
 * another one than in the repository.
 */
export function lockProduction(
  locked: LockedPackages,
  manifest: Manifest,
  added: LockedPackages,
): object {
  const all = { ...locked, ...added };
  const required = reach(all, namesOf(manifest.dependencies), false);
  const reached = reach(
    all,
    [...namesOf(manifest.dependencies), ...namesOf(manifest.optionalDependencies)],
    true,
  );
  const packages: Record<string, LockedPackage> = {};
  for (const path of [...reached].sort()) {
    const moved = moveToRoot(path);
    if (packages[moved] !== undefined) throw new Error(`Two packages need the place ${moved}.`);
    const kept = Object.entries(all[path] ?? {}).filter(([name]) => !leftOut.includes(name));
    const optional = required.has(path) ? {} : { optional: true };
    packages[moved] = { ...Object.fromEntries(kept), ...optional };
  }
  checkPlaces(all, packages, reached);
  const { name, version } = manifest;
  return {
    ...{ name, version, lockfileVersion: 3, requires: true },
    packages: { '': manifest, ...packages },
  };
}

/** The paths of all packages that `names` need, seen from the folder `server`. */
export function reach(
  locked: LockedPackages,
  names: readonly string[],
  withOptional: boolean,
  from = 'server',
): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = names.map((name) => ({ name, from }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const path = resolve(locked, next.name, next.from);
    if (path === undefined || reached.has(path)) continue;
    reached.add(path);
    for (const name of neededBy(locked[path] ?? {}, withOptional)) {
      waiting.push({ name, from: path });
    }
  }
  return reached;
}

/** Optional peers are left out: npm doesn't install them either. */
function neededBy(entry: LockedPackage, withOptional: boolean): readonly string[] {
  const meta = entry['peerDependenciesMeta'] as Record<string, { optional?: boolean }> | undefined;
  const peers = namesOf(entry.peerDependencies).filter((name) => meta?.[name]?.optional !== true);
  const required = [...namesOf(entry.dependencies), ...peers];
  return withOptional ? [...required, ...namesOf(entry.optionalDependencies)] : required;
}

function namesOf(dependencies: Readonly<Record<string, string>> | undefined): readonly string[] {
  return Object.keys(dependencies ?? {});
}

/** As Node finds a package: in the nearest node_modules. undefined: it isn't installed. */
function resolve(locked: LockedPackages, name: string, from: string): string | undefined {
  for (let folder = from; ; folder = parentOf(folder)) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (locked[path] !== undefined) return path;
    if (folder === '') return undefined;
  }
}

function parentOf(folder: string): string {
  const at = folder.lastIndexOf('/node_modules/');
  return at === -1 ? '' : folder.slice(0, at);
}

function moveToRoot(path: string): string {
  return path.replace(/^server\//, '');
}

/** Whether each package finds the same packages in its new place. */
function checkPlaces(
  before: LockedPackages,
  after: LockedPackages,
  reached: ReadonlySet<string>,
): void {
  for (const path of reached) {
    for (const name of neededBy(before[path] ?? {}, true)) {
      const found = resolve(before, name, path);
      const expected = found === undefined ? undefined : moveToRoot(found);
      if (resolve(after, name, moveToRoot(path)) === expected) continue;
      throw new Error(`${path} would not find the same ${name} in the published package.`);
    }
  }
}
