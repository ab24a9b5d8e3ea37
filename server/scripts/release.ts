import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { zipPlugin } from '../../plugins/wordpress/scripts/zip-plugin.ts';
import { type BuiltImages, buildImages } from './release/build-images.ts';
import { changelogSection } from './release/changelog-section.ts';
import { checkImage } from './release/check-image.ts';
import { checkPackage } from './release/check-package.ts';
import { isVersion } from './release/is-version.ts';
import type { Release } from './release/oci-archive.ts';
import { readSource } from './release/read-source.ts';
import { describeComponents, listBundled, readNpmSbom } from './release/write-sbom.ts';
import { digestOf } from './release/write-tar.ts';
import { writePackage, writePackageArchive } from './write-package.ts';

/**
 * npm run release -- VERSION [--no-check]: writes everything that a release needs to `release/`,
 * then installs the package and runs the image. docs/releases.md describes it.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const target = join(root, 'release');
const machine = { x64: 'amd64', arm64: 'arm64' } as const;
const usage =
  'Usage: npm run release -- VERSION [--no-check]\nVERSION is semantic, such as 1.2.0.\n';

const typed = readArguments();
if (typed === undefined) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  const work = mkdtempSync(join(tmpdir(), 'podstead-release-'));
  try {
    const { image, npm } = await build({ version: typed.version, ...readSource() }, work);
    if (typed.withChecks) await check(image, npm, typed.version);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  } finally {
    rmSync(work, { recursive: true });
  }
}

function readArguments() {
  try {
    const options = { 'no-check': { type: 'boolean', default: false } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [version = '', ...others] = positionals;
    if (others.length > 0 || !isVersion(version)) return undefined;
    return { version, withChecks: !values['no-check'] };
  } catch {
    return undefined;
  }
}

async function build(release: Release, work: string) {
  const { version, epochSeconds } = release;
  const path = (suffix: string) => join(target, `podstead-${version}${suffix}`);
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const date = new Date(epochSeconds * 1_000).toISOString().slice(0, 10);
  const section = changelogSection(changelog, version, date);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);

  say('building the dashboard');
  const stdio: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe'];
  execFileSync('npm', ['run', '-s', 'dashboard'], { cwd: root, stdio });
  say('building the npm package');
  const folder = join(work, 'package');
  mkdirSync(folder);
  writePackage(folder, release);
  const npm = await writePackageArchive(folder, target, epochSeconds);
  say('building the image');
  const image = path('-oci.tar');
  const built = await buildImages(image, { package: folder, work: join(work, 'image') }, release);
  writeFileSync(path('-wordpress.zip'), zipPlugin());
  writeFileSync(path('-changelog.md'), section);
  writeFileSync(path('-sbom.cdx.json'), describeSbom(folder, built, release));
  writeFileSync(join(target, 'SHA256SUMS'), describeSums());
  report(built);
  return { image, npm };
}

function describeSbom(folder: string, { debian }: BuiltImages, release: Release): string {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const bundled = listBundled(join(root, 'dashboard'), packages);
  const sbom = describeComponents(readNpmSbom(folder), bundled, debian, release);
  return `${JSON.stringify(sbom, null, 2)}\n`;
}

/** In the form of sha256sum, which checks it: `sha256sum --check SHA256SUMS`. */
function describeSums(): string {
  const names = readdirSync(target).sort();
  const lines = names.map((name) => {
    const [, hash] = digestOf(readFileSync(join(target, name))).split(':');
    return `${hash}  ${name}\n`;
  });
  return lines.join('');
}

function report({ images }: BuiltImages): void {
  for (const name of readdirSync(target).sort()) {
    process.stdout.write(`release/${name}: ${readFileSync(join(target, name)).length} bytes\n`);
  }
  for (const { architecture, compressedBytes, unpackedBytes, layers } of images) {
    const parts = layers.map(({ about, bytes }) => `${about} ${megabytes(bytes)}`).join(', ');
    process.stdout.write(
      `linux/${architecture}: ${megabytes(compressedBytes)} compressed (${parts}), ` +
        `${megabytes(unpackedBytes)} unpacked\n`,
    );
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

async function check(image: string, npm: string, version: string): Promise<void> {
  say('installing the npm package');
  checkPackage(npm, version);
  const architecture = machine[process.arch as keyof typeof machine];
  say(`running the image for linux/${architecture}`);
  await checkImage(image, architecture);
  say('all checks passed');
}

function say(what: string): void {
  process.stderr.write(`release: ${what}\n`);
}
