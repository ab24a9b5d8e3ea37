import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Architecture } from './debian-packages.ts';
import { digestOf } from './write-tar.ts';

/** An image that was unpacked to a folder, and the `config` of its configuration. */
export interface UnpackedImage {
  /** Also has `rootfs`, the file system. */
  readonly folder: string;
  readonly config: {
    readonly User: string;
    readonly Env: readonly string[];
    readonly Entrypoint: readonly string[];
    readonly Cmd: readonly string[];
    readonly WorkingDir: string;
    readonly Healthcheck: { readonly Test: readonly string[] };
  };
}

interface ImageIndex {
  readonly manifests: readonly {
    readonly digest: string;
    readonly platform?: { readonly architecture: string };
  }[];
}

interface ImageManifest {
  readonly config: { readonly digest: string };
  readonly layers: readonly { readonly digest: string }[];
}

/**
 * Unpacks an OCI archive with the system's tar into a new temporary folder. Throws if a blob isn't
 * what its digest says.
 */
export function unpackImage(archive: string, architecture: Architecture): UnpackedImage {
  const folder = mkdtempSync(join(tmpdir(), 'podstead-image-'));
  // Other users must reach the file system.
  chmodSync(folder, 0o755);
  const rootfs = join(folder, 'rootfs');
  mkdirSync(rootfs);
  execFileSync('tar', ['-xf', archive, '-C', folder, '--no-same-owner']);
  const blob = (digest: string) => join(folder, 'blobs', digest.replace(':', '/'));
  const read = (digest: string) => {
    const content = readFileSync(blob(digest));
    if (digestOf(content) !== digest) throw new Error(`The blob ${digest} is damaged.`);
    return content;
  };
  const readJson = (digest: string) => JSON.parse(String(read(digest)));
  const [top] = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')).manifests;
  const index: ImageIndex = readJson(top.digest);
  const found = index.manifests.find(({ platform }) => platform?.architecture === architecture);
  if (found === undefined) throw new Error(`The archive has no image for ${architecture}.`);
  const manifest: ImageManifest = readJson(found.digest);
  for (const { digest } of manifest.layers) {
    read(digest);
    execFileSync('tar', ['-xzpf', blob(digest), '-C', rootfs, '--numeric-owner']);
  }
  return { folder, config: readJson(manifest.config.digest).config };
}

/** How to start a program in an image. */
export interface Sandbox {
  readonly image: UnpackedImage;
  /** The user's number; its group has the same. */
  readonly user: number;
  /** The folder on this machine that is /data there. */
  readonly data: string;
  /** Variables beside those of the image. */
  readonly env: Readonly<Record<string, string>>;
}

export type ImageProcess = ChildProcessByStdio<null, Readable, Readable>;

/** A folder for /data, with the owner and the mode that the image has for it. */
export function makeDataVolume(image: UnpackedImage, name: string): string {
  const folder = join(image.folder, name);
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  if (process.getuid?.() === 0) chownSync(folder, Number(image.config.User), 0);
  return folder;
}

const mount = [
  'mount --bind "$ROOT" "$ROOT"',
  'mount --bind "$DATA" "$ROOT/data"',
  'mount -t proc proc "$ROOT/proc"',
  'mount --rbind /dev "$ROOT/dev"',
  'mount -o remount,bind,ro "$ROOT"',
  'exec "$@"',
].join(' && ');

/**
 * Starts a program in the image as a container would: alone in namespaces of its own (but for the
 * network), with a read-only file system except for /data, without capabilities, and unable to gain
 * any. Needs only util-linux. Root becomes the user; for anyone else the user's number is mapped to
 * their own.
 */
export function startInImage(sandbox: Sandbox, argv: readonly string[]): ImageProcess {
  const { image, user, data, env } = sandbox;
  const isRoot = process.getuid?.() === 0;
  const root = join(image.folder, 'rootfs');
  const outer = ['--mount', '--pid', '--fork', '--ipc', '--uts'];
  const become = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups'];
  const drop = ['--no-new-privs', '--inh-caps=-all', '--bounding-set=-all'];
  const inner = isRoot
    ? ['setpriv', ...become, ...drop, 'unshare', '--user', '--map-current-user']
    : [
        'setpriv',
        '--no-new-privs',
        'unshare',
        '--user',
        `--map-user=${user}`,
        `--map-group=${user}`,
      ];
  return spawn(
    'unshare',
    [
      ...(isRoot ? [] : ['--map-root-user']),
      ...[...outer, '--', '/bin/sh', '-c', mount, 'sh'],
      ...[...inner, `--root=${root}`, `--wd=${image.config.WorkingDir}`, '--', ...argv],
    ],
    {
      env: {
        ...Object.fromEntries(image.config.Env.map(splitVariable)),
        ...env,
        ROOT: root,
        DATA: data,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
}

function splitVariable(text: string): [string, string] {
  const at = text.indexOf('=');
  return [text.slice(0, at), text.slice(at + 1)];
}

/** Ends it at once. Killing `unshare` isn't enough: its child has become another user. */
export function killInImage(program: ImageProcess): void {
  const pid = findInnerPid(program);
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
}

/** The process in the image, as this machine numbers it; undefined if there is none. */
export function findInnerPid(program: ImageProcess): number | undefined {
  const file = `/proc/${program.pid}/task/${program.pid}/children`;
  const [first] = existsSync(file) ? readFileSync(file, 'utf8').split(' ') : [];
  return first ? Number(first) : undefined;
}
