import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeCertificate } from '../hosts/certificate.ts';
import { hasNginx, nginxProgram } from '../start-nginx.ts';
import { readDeployFile } from './deploy-files.ts';

// The steps for nginx in docs/domains.md, done with deploy/nginx.conf.

const certificate = makeCertificate();

it.skipIf(!hasNginx || certificate === undefined)(
  'nginx accepts what docs/domains.md makes of its example (needs nginx, openssl)',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'podstead-nginx-domains-'));
    try {
      const notes = await readFile(new URL('../../../docs/domains.md', import.meta.url), 'utf8');
      const blocks = [...notes.matchAll(/^ *```nginx\n(.*?)^ *```$/gms)].map(([, block]) => block);
      expect(blocks).toHaveLength(2);
      const example = readDeployFile('nginx.conf');
      const begin = example.lastIndexOf('\nserver {\n') + '\nserver {\n'.length;
      const lines = example.slice(begin, example.lastIndexOf('}')).split('\n');
      const own = /^ {2}(?:listen|server_name|ssl_certificate|ssl_certificate_key)\b/;
      const server = [
        example.slice(0, begin),
        ...lines.filter((line) => own.test(line)),
        '  include /etc/nginx/podstead-server.conf;',
        '}',
      ];
      await mkdir(join(folder, 'logs'));
      await writeFile(join(folder, 'cert.pem'), certificate?.cert ?? '');
      await writeFile(join(folder, 'key.pem'), certificate?.key ?? '');
      const inFolder = (text: string) =>
        text
          .replaceAll('/etc/nginx/', `${folder}/`)
          .replaceAll('/var/log/nginx/', `${folder}/logs/`)
          .replaceAll(/^( *ssl_certificate +).*;$/gm, `$1${folder}/cert.pem;`)
          .replaceAll(/^( *ssl_certificate_key +).*;$/gm, `$1${folder}/key.pem;`)
          .replaceAll(/^( *listen \S*?)(443|80)\b/gm, '$120$2');
      const moved = lines.filter((line) => !own.test(line)).join('\n');
      await writeFile(join(folder, 'podstead-server.conf'), inFolder(moved));
      const [challenges = '', domain = ''] = blocks;
      const http = inFolder([...server, challenges, domain].join('\n'));
      const main = `pid ${folder}/pid;\nevents {}\nhttp {\n${http}\n}\n`;
      await writeFile(join(folder, 'nginx.conf'), main);
      const given = ['-t', '-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'logs/errors'];
      const { status, stderr } = spawnSync(nginxProgram ?? '', given, { encoding: 'utf8' });
      expect({ status, stderr }).toMatchObject({ status: 0 });
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
