import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { wordpressTool } from './find-missing.ts';

const plugin = fileURLToPath(new URL('../podstead', import.meta.url));
const host = 'blog.test';

interface PhpRun {
  readonly ended: Promise<{ printed: string; said: string; code: number | null }>;
  kill(): void;
}

export interface WordPress {
  readonly url: string;
  /** The certificate of the authority of all hosts here. */
  readonly authority: string;
  /** Key and certificate of the service's hosts. */
  readonly certificate: { readonly cert: Buffer; readonly key: Buffer };
  /** Runs PHP inside WordPress, in its web server; returns what it prints. */
  php(code: string): Promise<string>;
  /** The same in a process of its own, not waited for; a code other than 0 is no error. */
  startPhp(code: string): PhpRun;
  /** The same, where the code prints JSON. */
  read<T>(code: string): Promise<T>;
  /** What PHP has complained about in the plugin's files. */
  listComplaints(): Promise<readonly string[]>;
  /** Ends the web server, and starts it again: nothing answers in between. */
  goDown(): Promise<void>;
  comeBack(): void;
  stop(): Promise<void>;
}

/** Boots WordPress in a folder of its own, with the plugin in its place and active. */
export async function startWordPress(): Promise<WordPress> {
  const folder = mkdtempSync(join(chooseParent(), 'podstead-wordpress-'));
  // The database and PHP run as other users.
  chmodSync(folder, 0o755);
  // The services that the script starts keep its output open: only its own end counts.
  const boot = spawn('bash', [join(wordpressTool, 'up.sh'), folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
    // The database's user must get there; a folder in TMPDIR may be for its owner alone.
    env: { ...process.env, TMPDIR: '/tmp' },
  });
  const [code] = await once(boot, 'exit');
  if (code !== 0) throw new Error(`WordPress does not start: ${code}`);
  cpSync(plugin, join(folder, 'site/wp-content/plugins/podstead'), { recursive: true });
  writeFileSync(join(folder, 'site/run-code.php'), codeRunner);
  const authority = join(folder, 'ca/ca.crt');
  const php = (source: string) => runPhp(readFileSync(authority), source);
  await php(`require_once ABSPATH . 'wp-admin/includes/plugin.php';
    $done = activate_plugin( 'podstead/podstead.php' );
    if ( is_wp_error( $done ) ) { throw new Exception( $done->get_error_message() ); }`);
  return {
    url: `https://${host}/`,
    authority,
    certificate: {
      cert: await readFile(join(folder, 'ca/srv.crt')),
      key: await readFile(join(folder, 'ca/srv.key')),
    },
    php,
    startPhp: (source) => startPhp(folder, source),
    read: async <T>(source: string) => JSON.parse(await php(source)) as T,
    listComplaints: async () =>
      (await readFile(join(folder, 'log/wp.log'), 'utf8').catch(() => ''))
        .split('\n')
        .filter((line) => line.includes('plugins/podstead')),
    goDown: async () => {
      const pid = readPid(folder, 'nginx');
      process.kill(pid);
      while (existsSync(`/proc/${pid}`)) await wait(50);
    },
    comeBack: () => {
      execFileSync('nginx', ['-c', join(folder, 'run/nginx.conf')], { stdio: 'ignore' });
    },
    stop: async () => {
      const pids = ['my', 'fpm', 'nginx'].map((name) => readPid(folder, name));
      execFileSync('bash', [join(wordpressTool, 'down.sh'), folder]);
      // They write to their files until they end.
      while (pids.some((pid) => existsSync(`/proc/${pid}`))) await wait(50);
      rmSync(folder, { recursive: true });
    },
  };
}

function readPid(folder: string, program: string): number {
  return Number(readFileSync(join(folder, `run/${program}.pid`), 'utf8'));
}

/** Memory where there is enough: each post is many small writes. Other users must get there. */
function chooseParent(): string {
  const memory = statfsSync('/dev/shm', { bigint: true });
  return memory.bavail * memory.bsize > 2_000_000_000n ? '/dev/shm' : '/tmp';
}

/** Runs what it gets, after WordPress has loaded. The site is on this machine alone. */
const codeRunner = `<?php
$code = file_get_contents( 'php://input' );
require __DIR__ . '/wp-load.php';
set_time_limit( 0 );
try {
  eval( $code );
} catch ( Throwable $problem ) {
  http_response_code( 500 );
  echo $problem;
}`;

/** Through the web server, whose PHP keeps what it has compiled: much faster than a new process. */
async function runPhp(ca: Buffer, source: string): Promise<string> {
  const onward = request(`https://${host}/run-code.php`, { method: 'POST', ca });
  onward.end(source);
  const [answer] = (await once(onward, 'response')) as [IncomingMessage];
  const printed = await text(answer);
  if (answer.statusCode !== 200) throw new Error(`PHP: ${answer.statusCode} ${printed}`);
  return printed;
}

/** Code starts after WordPress has loaded; `WP_CLI` is a class that prints what commands say. */
function startPhp(folder: string, source: string): PhpRun {
  const file = join(folder, 'run', `code-${process.hrtime.bigint()}.php`);
  writeFileSync(file, `<?php ${prelude} require '${folder}/site/wp-load.php';\n${source}`);
  const child = spawn('php', ['-d', 'display_errors=stderr', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    uid: webUser,
    gid: webUser,
  });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]).then(
    ([printed, said, [code]]) => {
      rmSync(file);
      return { printed, said, code: code as number | null };
    },
  );
  return { ended, kill: () => child.kill('SIGKILL') };
}

/** Debian's www-data, as whom the site's PHP runs. */
const webUser = 33;

const prelude = `
$_SERVER += array( 'HTTP_HOST' => '${host}', 'HTTPS' => 'on', 'REQUEST_URI' => '/',
  'REQUEST_METHOD' => 'GET', 'SERVER_PROTOCOL' => 'HTTP/1.1' );
class WP_CLI {
  public static function log( $text ) { echo "$text\\n"; }
  public static function success( $text ) { echo "Success: $text\\n"; }
  public static function error( $text ) { echo "Error: $text\\n"; exit( 3 ); }
}
`;
