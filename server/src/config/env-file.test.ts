import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { loadEnvFile } from './env-file.ts';
import { readEnvironment } from './environment.ts';

const folder = mkdtempSync(join(tmpdir(), 'podstead-env-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('an env file is the source of the settings in it', () => {
  const file = join(folder, 'podstead.env');
  writeFileSync(file, 'PORT=4000\nHOST=::1\n');
  const env: NodeJS.ProcessEnv = { HOST: '127.0.0.1' };
  loadEnvFile(file, env);
  const of = (name: string) => readEnvironment(env).find((setting) => setting.name === name);
  expect(of('PORT')).toMatchObject({ text: '4000', source: file });
  expect(of('HOST')).toMatchObject({ text: '127.0.0.1', source: 'environment' });
  expect(of('LOG_LEVEL')).toMatchObject({ source: 'default' });
});

it('lines of an env file without effect are reported without their text', () => {
  const file = join(folder, 'strange.env');
  const lines = [
    ...[
      '# A comment',
      '',
      'FOO',
      'A=1',
      'export B=2',
      "C='one",
      'two',
      "three' # it ends",
      'D="x"',
    ],
    ...['  # "', 'SECRET: swordfish', 'E = `a', '# b`', "G=it's", 'rest'],
  ];
  writeFileSync(file, lines.join('\r\n'));
  const env: NodeJS.ProcessEnv = {};
  const of = (line: number) => `Line ${line} of ${file} has no effect: it is not NAME=value.`;
  expect(loadEnvFile(file, env)).toEqual([3, 11, 15].map(of));
  expect(Object.keys(env)).toEqual(['A', 'B', 'C', 'D', 'E', 'G']);
});
