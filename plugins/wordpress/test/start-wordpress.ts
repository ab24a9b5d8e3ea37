import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { cp, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Certificate, makeCertificate } from '../../../server/test/hosts/certificate.ts';
import { changeAccess, prepareDatabase, prepareNginx, preparePhp } from './site-servers.ts';

const plugin = fileURLToPath(new URL('../podstead', import.meta.url));
/** Debian's WordPress. */
const packaged = '/usr/share/wordpress';

// Addresses of sites have no port, so both sides need port 443 and thus an address of their own.
const host = 'blog.test';
const address = '127.0.0.2';
export const serviceHosts = { address: '127.0.0.5', names: ['api.svc.test', 'embed.svc.test'] };

/** PHP's complaints, below the folder of the site. */
const complaints = 'log/complaints.log';

interface PhpRun {
  readonly ended: Promise<{
    printed: string;
    said: string;
    code: number | null;
    signal: NodeJS.Signals | null;
  }>;
}

/** A WordPress that some process has started. */
export interface WordPress {
  readonly url: string;
  readonly administrator: { readonly user: string; readonly password: string };
  /** Covers the hosts of both sides. */
  readonly certificate: Certificate;
  /** The file with the certificate, for clients that must trust it. */
  readonly authority: string;
  /** Runs PHP inside WordPress, in its web server; returns what it prints. */
  php(code: string): Promise<string>;
  /** The same in a process of its own, not waited for; a code other than 0 is not an error. */
  startPhp(code: string): PhpRun;
  /** The same, where the code prints JSON. */
  read<T>(code: string): Promise<T>;
  /** What PHP has complained about in the plugin's files since the last call. */
  takeComplaints(): Promise<readonly string[]>;
  /** Connections are refused until `comeBack`. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
}

export interface StartedWordPress extends WordPress {
  /** For `openWordPress` in another process. */
  readonly folder: string;
  stop(): Promise<void>;
}

/**
 * Starts a WordPress in a folder of its own, installed as Debian ships it, with the plugin active. Its
 * database, PHP and web server are processes of their own, which end with this one at the latest.
 * Needs root, for port 443, and adds its hosts to /etc/hosts. `findMissing` says what else it needs.
 */
export async function startWordPress(): Promise<StartedWordPress> {
  const folder = mkdtempSync(join(chooseParent(), 'podstead-wordpress-'));
  await using started = new AsyncDisposableStack();
  started.defer(() => rmSync(folder, { recursive: true }));
  // The database and PHP run as other users.
  chmodSync(folder, 0o755);
  for (const name of ['log', 'sockets', 'temporary', 'compiled']) {
    mkdirSync(join(folder, name));
    chmodSync(join(folder, name), 0o777);
  }
  const certificate = makeCertificate([host, ...serviceHosts.names]);
  if (certificate === undefined) throw new Error('openssl makes no certificate');
  const authority = join(folder, 'certificate.pem');
  writeFileSync(authority, certificate.cert);
  writeFileSync(join(folder, 'key.pem'), certificate.key, { mode: 0o600 });
  nameHosts();

  const root = join(folder, 'site');
  const databaseSocket = join(folder, 'sockets/mariadb');
  const phpSocket = join(folder, 'sockets/php');
  const database = prepareDatabase(folder, databaseSocket);
  await writeSite(folder, databaseSocket, authority);
  const nginx = prepareNginx(folder, { host, address, root }, phpSocket);
  for (const server of [database, preparePhp(folder, phpSocket), nginx]) {
    started.defer(() => server.stop());
    await server.start();
  }
  await installSite(certificate.cert);
  const site = openWordPress(folder);
  await site.php(`$wp_rewrite->set_permalink_structure( '/%postname%/' );
    require_once ABSPATH . 'wp-admin/includes/plugin.php';
    $done = activate_plugin( 'podstead/podstead.php' );
    if ( is_wp_error( $done ) ) { throw new Exception( $done->get_error_message() ); }`);
  const running = started.move();
  return { ...site, folder, stop: () => running.disposeAsync() };
}

/** The one that runs in this folder. */
export function openWordPress(folder: string): WordPress {
  const authority = join(folder, 'certificate.pem');
  const cert = readFileSync(authority, 'utf8');
  const php = (source: string) => runPhp(cert, source);
  return {
    url: `https://${host}/`,
    administrator,
    authority,
    certificate: { cert, key: readFileSync(join(folder, 'key.pem'), 'utf8') },
    php,
    startPhp: (source) => startPhp(folder, source),
    read: async <T>(source: string) => JSON.parse(await php(source)) as T,
    takeComplaints: async () => {
      const file = join(folder, complaints);
      const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
      await rm(file, { force: true });
      return lines.filter((line) => line.includes('plugins/podstead'));
    },
    goDown: () => changeAccess(folder, address, false),
    comeBack: () => changeAccess(folder, address, true),
  };
}

/** The names of both sides, which are no others' on any network (RFC 6761). */
function nameHosts(): void {
  const known = readFileSync('/etc/hosts', 'utf8').split('\n');
  const lines = [`${address} ${host}`, `${serviceHosts.address} ${serviceHosts.names.join(' ')}`];
  const missing = lines.filter((line) => !known.includes(line));
  if (missing.length > 0) appendFileSync('/etc/hosts', `\n${missing.join('\n')}\n`);
}

/** The files of Debian's package, the settings, and the plugin. */
async function writeSite(folder: string, databaseSocket: string, authority: string): Promise<void> {
  const root = join(folder, 'site');
  // Some of the package's links point to files that an administrator writes.
  await cp(packaged, root, {
    recursive: true,
    dereference: true,
    filter: (from) => existsSync(from),
  });
  const settings = {
    DB_NAME: 'site',
    DB_USER: 'www-data',
    DB_PASSWORD: '',
    DB_HOST: `localhost:${databaseSocket}`,
    DB_CHARSET: 'utf8mb4',
    DB_COLLATE: '',
    WP_HOME: `https://${host}`,
    WP_SITEURL: `https://${host}`,
    WP_DEBUG: true,
    // Notices in a response would break its JSON.
    WP_DEBUG_DISPLAY: false,
    WP_DEBUG_LOG: join(folder, complaints),
    DISABLE_WP_CRON: true,
    AUTOMATIC_UPDATER_DISABLED: true,
    FS_METHOD: 'direct',
    ...Object.fromEntries(secretNames.map((name) => [name, `${name} of a test`])),
  };
  const lines = Object.entries(settings).map(
    ([name, value]) => `define( '${name}', ${JSON.stringify(value)} );`,
  );
  lines.push("$table_prefix = 'wp_';", "require_once __DIR__ . '/wp-settings.php';");
  writeFileSync(join(root, 'wp-config.php'), ['<?php', ...lines, ''].join('\n'));
  mkdirSync(join(root, 'wp-content/mu-plugins'));
  writeFileSync(join(root, 'wp-content/mu-plugins/local-hosts.php'), allowLocalHosts(authority));
  await cp(plugin, join(root, 'wp-content/plugins/podstead'), { recursive: true });
  writeFileSync(join(root, 'run-code.php'), codeRunner);
  execFileSync('chown', ['-R', 'www-data', root]);
}

/** Everything that a secret is derived from. */
const secretNames = ['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'].flatMap((name) => [
  `${name}_KEY`,
  `${name}_SALT`,
]);

/**
 * WordPress refuses to send requests to loopback addresses, where all hosts of the tests are, and
 * trusts the system's authorities only.
 */
function allowLocalHosts(authority: string): string {
  return `<?php
add_filter( 'http_request_host_is_external',
  fn( $is_external, $name ) => $is_external || 1 === preg_match( '/[.]test$/', $name ), 10, 2 );
add_filter( 'http_request_args', fn( $request ) => array( 'sslcertificates' => '${authority}' ) + $request );
add_filter( 'pre_wp_mail', '__return_false' );
`;
}

const administrator = { user: 'admin', password: 'correct horse battery' };

/** Fills in WordPress's own installation form. */
async function installSite(ca: string): Promise<void> {
  const form = new URLSearchParams({
    weblog_title: 'Blog',
    user_name: administrator.user,
    admin_password: administrator.password,
    admin_password2: administrator.password,
    admin_email: 'admin@blog.test',
    blog_public: '1',
  });
  const { status, body } = await post(ca, '/wp-admin/install.php?step=2', form);
  if (status !== 200 || !body.includes('Success!')) {
    throw new Error(`WordPress is not installed: ${status} ${body}`);
  }
}

async function post(ca: string, path: string, body: string | URLSearchParams) {
  const isForm = body instanceof URLSearchParams;
  const headers = isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
  const onward = request(`https://${host}${path}`, { method: 'POST', ca, headers });
  onward.end(String(body));
  const [response] = (await once(onward, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response) };
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
async function runPhp(ca: string, source: string): Promise<string> {
  const { status, body } = await post(ca, '/run-code.php', source);
  if (status !== 200) throw new Error(`PHP: ${status} ${body}`);
  return body;
}

/** Code starts after WordPress has loaded; `WP_CLI` is a class that prints what commands say. */
function startPhp(folder: string, source: string): PhpRun {
  const file = join(folder, `code-${process.hrtime.bigint()}.php`);
  writeFileSync(file, `<?php ${prelude} require '${folder}/site/wp-load.php';\n${source}`);
  const settings = Object.entries({
    display_errors: 'stderr',
    // Without it, each process would compile all of WordPress.
    'opcache.enable_cli': '1',
    'opcache.file_cache': join(folder, 'compiled'),
    'opcache.file_cache_only': '1',
  });
  const options = settings.flatMap(([name, value]) => ['-d', `${name}=${value}`]);
  const child = spawn('php', [...options, file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    uid: webUser,
    gid: webUser,
  });
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const ended = Promise.all([text(child.stdout), text(child.stderr), exit]).then(
    ([printed, said, [code, signal]]) => {
      rmSync(file);
      return { printed, said, code, signal };
    },
  );
  return { ended };
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
