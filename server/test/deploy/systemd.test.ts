import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { readDeployFile } from './deploy-files.ts';

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const root = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '');
const units = ['podstead.service', 'podstead-worker.service'] as const;

/** Names with their values, without sections. A name may stand twice. */
function readUnit(unit: string): [name: string, value: string][] {
  const lines = readDeployFile(`systemd/${unit}`).split('\n');
  return lines.flatMap((line): [string, string][] => {
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
}

describe('the units of systemd', () => {
  it('the units of systemd differ only in what they run, their shares of the processors and the settings of the worker', () => {
    const [serve, worker] = units.map((unit) => readUnit(unit));
    const differs = (one: readonly string[], others: typeof serve = []) =>
      !others.some(([name, value]) => name === one[0] && value === one[1]);
    const ofServe = serve?.filter((line) => differs(line, worker)).map(([name]) => name);
    const ofWorker = worker?.filter((line) => differs(line, serve)).map(([name]) => name);
    expect(ofServe).toEqual(['Description', 'After', 'ExecStart', 'CPUWeight']);
    expect(ofWorker).toEqual(['Description', 'After', 'EnvironmentFile', 'ExecStart']);
  });

  it.each(units)('%s runs a command that exists, as a user of its own', (unit) => {
    const values = new Map(readUnit(unit));
    const command = values.get('ExecStart')?.split(' ').at(-1);
    expect(commands.map(({ name }) => name)).toContain(command);
    expect(Object.fromEntries(values)).toMatchObject({
      ...{ User: 'podstead', WorkingDirectory: '/opt/podstead', StateDirectory: 'podstead' },
      ...{ ProtectSystem: 'strict', NoNewPrivileges: 'yes', CapabilityBoundingSet: '' },
    });
  });
});

describe.skipIf(!hasSystemd)('the units of systemd (needs systemd-analyze)', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'podstead-units-'));
    for (const unit of units) {
      const text = readDeployFile(`systemd/${unit}`)
        .replace('/opt/podstead/bin/podstead', `${root}/server/scripts/release/launcher.sh`)
        .replaceAll('/opt/podstead', root);
      writeFileSync(join(folder, unit), text);
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const analyze = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    return { status, said: stdout + stderr };
  };

  it.each(units)('%s has no fault, and its program is there', (unit) => {
    const path = join(folder, unit);
    expect(analyze('verify', path)).toMatchObject({ status: 0 });
    const misspelt = readDeployFile(`systemd/${unit}`).replace('ProtectHome', 'ProtektHome');
    writeFileSync(join(folder, `x-${unit}`), misspelt.replaceAll('/opt/podstead', root));
    expect(analyze('verify', join(folder, `x-${unit}`)).said).toContain('ProtektHome');
  });

  it.each(units)('%s leaves little that an attacker could do', (unit) => {
    const path = join(folder, unit);
    const rate = (threshold: string) =>
      analyze('security', '--offline=true', `--threshold=${threshold}`, path);
    // In tenths, of 10 without any protection.
    expect(rate('20')).toMatchObject({ status: 0 });
    expect(rate('1').status).not.toBe(0);
  });
});
