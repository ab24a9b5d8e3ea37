import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nextMigration } from '../../server/test/next-migration.ts';
import { repositoryRoot } from '../public/serve-process.ts';

const git = (...argv: string[]) =>
  execFileSync('git', argv, { cwd: repositoryRoot, maxBuffer: 2 ** 30 });

/** PREVIOUS, or the newest tag, or the last commit before the newest migration. */
export function findPrevious(): string {
  const wanted = process.env['PREVIOUS'];
  if (wanted !== undefined) return git('rev-parse', '--short', wanted).toString().trim();
  const [tag] = git('tag', '--list', 'v*', '--sort=-version:refname').toString().split('\n');
  if (tag !== undefined && tag !== '') return tag;
  const newest = findNewest(join(repositoryRoot, 'server/migrations'));
  const added = git(
    'log',
    '-1',
    '--diff-filter=A',
    '--format=%H',
    '--',
    `server/migrations/${newest}`,
  );
  return git('rev-parse', '--short', `${added.toString().trim()}^`).toString().trim();
}

function findNewest(migrations: string): string {
  const names = readdirSync(migrations).filter((name) => name.endsWith('.sql'));
  return names.sort().at(-1) ?? '';
}

/** Unpacks a commit into a folder, with the packages that are installed here. */
export function unpackCommit(commit: string, folder: string): void {
  unpack(git('archive', '--format=tar', commit), folder);
}

/** Copies what git knows of this checkout, with changes that aren't committed, and adds a migration. */
export function copyWithMigration(folder: string): void {
  const listed = git('ls-files', '-z');
  const options = { cwd: repositoryRoot, input: listed, maxBuffer: 2 ** 30 };
  unpack(execFileSync('tar', ['--null', '-T', '-', '-c'], options), folder);
  const migrations = join(folder, 'server/migrations');
  const number = String(Number.parseInt(findNewest(migrations), 10) + 1).padStart(4, '0');
  writeFileSync(join(migrations, `${number}-next.sql`), nextMigration);
}

function unpack(archive: Buffer, folder: string): void {
  mkdirSync(folder);
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  for (const path of ['node_modules', 'server/node_modules']) {
    if (existsSync(join(repositoryRoot, path)))
      symlinkSync(join(repositoryRoot, path), join(folder, path));
  }
  const app = join(repositoryRoot, 'dashboard/dist');
  if (existsSync(app)) cpSync(app, join(folder, 'dashboard/dist'), { recursive: true });
}
