import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { wordpressTool } from './find-missing.ts';

const run = promisify(execFile);
const plugin = fileURLToPath(new URL('../podstead', import.meta.url));
const host = 'blog.test';

export interface WordPress {
  readonly url: string;
  /** The certificate of the authority of all hosts here. */
  readonly authority: string;
  /** Key and certificate of the service's hosts. */
  readonly certificate: { readonly cert: Buffer; readonly key: Buffer };
  /** Runs PHP inside WordPress, as the web server's user; returns what it prints. */
  php(code: string): Promise<string>;
  /** The same, where the code prints JSON. */
  read<T>(code: string): Promise<T>;
  /** What PHP has complained about in the plugin's files. */
  listComplaints(): Promise<readonly string[]>;
  stop(): void;
}

/** Boots WordPress in `folder`, with the plugin in its place and active. */
export async function startWordPress(folder: string): Promise<WordPress> {
  mkdirSync(folder, { recursive: true });
  // PHP runs as another user.
  execFileSync('chmod', ['755', folder]);
  // The services that the script starts keep its output open: only its own end counts.
  const boot = spawn('bash', [join(wordpressTool, 'up.sh'), folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(boot, 'exit');
  if (code !== 0) throw new Error(`WordPress does not start: ${code}`);
  cpSync(plugin, join(folder, 'site/wp-content/plugins/podstead'), { recursive: true });
  const php = (source: string) => runPhp(folder, source);
  await php(`require_once ABSPATH . 'wp-admin/includes/plugin.php';
    $done = activate_plugin( 'podstead/podstead.php' ); if ( is_wp_error( $done ) ) { exit( 1 ); }`);
  return {
    url: `https://${host}/`,
    authority: join(folder, 'ca/ca.crt'),
    certificate: {
      cert: await readFile(join(folder, 'ca/srv.crt')),
      key: await readFile(join(folder, 'ca/srv.key')),
    },
    php,
    read: async <T>(source: string) => JSON.parse(await php(source)) as T,
    listComplaints: async () =>
      (await readFile(join(folder, 'log/wp.log'), 'utf8').catch(() => ''))
        .split('\n')
        .filter((line) => line.includes('plugins/podstead')),
    stop: () => execFileSync('bash', [join(wordpressTool, 'down.sh'), folder]),
  };
}

/** Code starts after WordPress has loaded; `WP_CLI` is a class that prints what commands say. */
async function runPhp(folder: string, source: string): Promise<string> {
  const file = join(folder, 'run', `code-${process.hrtime.bigint()}.php`);
  writeFileSync(file, `<?php ${prelude} require '${folder}/site/wp-load.php';\n${source}`);
  const child = spawn(
    'runuser',
    ['-u', 'www-data', '--', 'php', '-d', 'display_errors=stderr', file],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [printed, said, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  await run('rm', [file]);
  if (code !== 0) throw new Error(`PHP ended with ${code}: ${printed}${said}`);
  return printed;
}

const prelude = `
$_SERVER += array( 'HTTP_HOST' => '${host}', 'HTTPS' => 'on', 'REQUEST_URI' => '/',
  'REQUEST_METHOD' => 'GET', 'SERVER_PROTOCOL' => 'HTTP/1.1' );
class WP_CLI {
  public static function log( $text ) { echo "$text\\n"; }
  public static function success( $text ) { echo "Success: $text\\n"; }
  public static function error( $text ) { echo "Error: $text\\n"; exit( 3 ); }
}
`;
