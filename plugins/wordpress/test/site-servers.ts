import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { connect, type NetConnectOpts } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFpm } from './find-missing.ts';

/** Debian's user for web servers and PHP. */
const webUser = 'www-data';

/** A program that runs until it is stopped. What it prints goes to a file. */
export class SiteServer {
  readonly #argv: readonly string[];
  readonly #accepts: NetConnectOpts;
  readonly #log: string;
  #child: ChildProcess | undefined;

  constructor(argv: readonly string[], accepts: NetConnectOpts, log: string) {
    this.#argv = argv;
    this.#accepts = accepts;
    this.#log = log;
  }

  /** Resolves once it accepts connections. Throws what it printed if it ends before that. */
  async start(): Promise<void> {
    const [program = '', ...args] = this.#argv;
    const output = openSync(this.#log, 'a');
    const child = spawn(program, args, { stdio: ['ignore', output, output] });
    closeSync(output);
    // A test process that fails would otherwise leave it behind.
    const kill = () => child.kill();
    process.once('exit', kill);
    child.once('exit', () => process.off('exit', kill));
    this.#child = child;
    while (!(await accepts(this.#accepts))) {
      if (hasEnded(child)) throw new Error(`${program}: ${readFileSync(this.#log, 'utf8')}`);
      await wait(20);
    }
  }

  /** Resolves once it has ended. */
  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || hasEnded(child)) return;
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function accepts(address: NetConnectOpts): Promise<boolean> {
  const socket = connect(address);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/**
 * MariaDB with an empty database `site`, which PHP may use without a password because the system says
 * who it is. Nothing is written through to the disk.
 */
export function prepareDatabase(folder: string, socket: string): SiteServer {
  const data = join(folder, 'database');
  // TMPDIR may be a folder that MariaDB's user cannot read.
  const temporary = join(folder, 'temporary');
  const form = ['--no-defaults', '--user=mysql', `--datadir=${data}`, `--tmpdir=${temporary}`];
  execFileSync('mariadb-install-db', [...form, '--skip-test-db'], { stdio: 'ignore' });
  const statements = [
    'CREATE DATABASE site CHARACTER SET utf8mb4;',
    `CREATE USER '${webUser}'@'localhost' IDENTIFIED VIA unix_socket;`,
    `GRANT ALL PRIVILEGES ON site.* TO '${webUser}'@'localhost';`,
  ];
  const firstStatements = join(folder, 'database.sql');
  writeFileSync(firstStatements, statements.join('\n'));
  const careless = ['--innodb-flush-log-at-trx-commit=0', '--innodb-doublewrite=OFF'];
  const argv = ['mariadbd', ...form, ...careless, '--skip-networking', `--socket=${socket}`];
  argv.push(`--init-file=${firstStatements}`);
  return new SiteServer(argv, { path: socket }, join(folder, 'log/mariadb.log'));
}

/** More than one process, because a site sends requests to itself. */
const phpProcesses = 6;

export function preparePhp(folder: string, socket: string): SiteServer {
  const settings = join(folder, 'php-fpm.conf');
  const pool = [`user = ${webUser}`, `listen = ${socket}`, `listen.owner = ${webUser}`];
  pool.push('pm = static', `pm.max_children = ${phpProcesses}`);
  const log = join(folder, 'log/php-fpm.log');
  writeFileSync(settings, ['[global]', `error_log = ${log}`, '[site]', ...pool, ''].join('\n'));
  const argv = [findFpm() ?? 'php-fpm', '--nodaemonize', '--fpm-config', settings];
  return new SiteServer(argv, { path: socket }, log);
}

interface Site {
  readonly host: string;
  readonly address: string;
  readonly root: string;
}

export function prepareNginx(folder: string, site: Site, phpSocket: string): SiteServer {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/nginx-${name};`,
  );
  const settings = `
    daemon off;
    user ${webUser};
    pid ${nginxId(folder)};
    error_log stderr;
    events {}
    http {
      include /etc/nginx/mime.types;
      access_log off;
      ${temporary.join('\n      ')}
      include ${folder}/nginx-sites/*.conf;
    }`;
  writeFileSync(join(folder, 'nginx.conf'), settings);
  mkdirSync(join(folder, 'nginx-sites'));
  writeFileSync(siteFile(folder, 'conf'), writeSiteBlock(folder, site, phpSocket));
  const argv = ['nginx', '-e', 'stderr', '-c', join(folder, 'nginx.conf')];
  return new SiteServer(argv, { host: site.address, port: 443 }, join(folder, 'log/nginx.log'));
}

function writeSiteBlock(folder: string, { host, address, root }: Site, phpSocket: string): string {
  return `
    server {
      listen ${address}:443 ssl;
      server_name ${host};
      ssl_certificate ${folder}/certificate.pem;
      ssl_certificate_key ${folder}/key.pem;
      root ${root};
      index index.php;
      location / {
        try_files $uri $uri/ /index.php$is_args$args;
      }
      location ~ [.]php$ {
        include /etc/nginx/fastcgi.conf;
        fastcgi_pass unix:${phpSocket};
      }
    }`;
}

const nginxId = (folder: string) => join(folder, 'nginx.pid');
/** nginx reads the one with the end `conf`. */
const siteFile = (folder: string, end: 'conf' | 'off') => join(folder, `nginx-sites/site.${end}`);

/** Has nginx accept connections or refuse them. Any process may: nginx is found by its id. */
export async function changeAccess(folder: string, address: string, isOpen: boolean) {
  const ends = isOpen ? (['off', 'conf'] as const) : (['conf', 'off'] as const);
  renameSync(siteFile(folder, ends[0]), siteFile(folder, ends[1]));
  process.kill(Number(readFileSync(nginxId(folder), 'utf8')), 'SIGHUP');
  while ((await accepts({ host: address, port: 443 })) !== isOpen) await wait(20);
}
