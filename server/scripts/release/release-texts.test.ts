import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changelogSection, nameUnreleased } from './changelog-section.ts';
import type { DebianPackage } from './debian-packages.ts';
import { isVersion } from './is-version.ts';
import { describeComponents, listBundled } from './write-sbom.ts';

describe('versions of releases', () => {
  it.each(['0.2.0', '1.0.0-rc.1', '10.20.30+build.5', '1.0.0-0a.b--c'])(
    '%s is a version',
    (text) => {
      expect(isVersion(text)).toBe(true);
    },
  );
  it.each(['', '1.2', 'v1.2.0', '01.2.0', '1.2.0-01', '1.2.0-', '1.2.0 ', '../1.2.0', '1.2.0\n'])(
    '%j is not a version',
    (text) => expect(isVersion(text)).toBe(false),
  );
});

describe('the section of the changelog', () => {
  const changelog =
    '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- New.\n\n## [0.1.0] - 2026-01-02\n\nFirst.\n';

  it('the section of a version that has one is taken as it is', () => {
    expect(changelogSection(changelog, '0.1.0', '2026-05-06')).toBe(
      '## [0.1.0] - 2026-01-02\n\nFirst.\n',
    );
    expect(nameUnreleased(changelog, '0.1.0', '2026-05-06')).toBe(changelog);
  });

  it('the section of a new version is what is unreleased', () => {
    const section = '## [0.2.0] - 2026-05-06\n\n### Added\n\n- New.\n';
    expect(changelogSection(changelog, '0.2.0', '2026-05-06')).toBe(section);
    expect(nameUnreleased(changelog, '0.2.0', '2026-05-06')).toContain(section);
  });

  it('the section of a version of which the changelog says nothing is refused', () => {
    expect(() => changelogSection('# Changelog\n\n## [Unreleased]\n', '0.2.0', '')).toThrow(
      'CHANGELOG.md says nothing about 0.2.0',
    );
  });
});

describe('the bill of materials', () => {
  const component = (name: string) => ({
    ...{ 'bom-ref': `${name}@1.0.0`, type: 'library' as const, name, version: '1.0.0' },
    purl: `pkg:npm/${name}@1.0.0`,
  });
  const npm = {
    metadata: { component: component('podstead'), timestamp: new Date().toISOString() },
    components: [component('pg'), component('text')],
    dependencies: [{ ref: 'podstead@1.0.0', dependsOn: ['pg@1.0.0'] }],
  };
  const libc: DebianPackage = {
    ...{ name: 'libstdc++6', version: '1:12.2+b1', architecture: 'arm64', digest: 'sha256:ab' },
    ...{ control: '', entries: [] },
  };
  const release = { version: '1.0.0', revision: 'abc', epochSeconds: 1_700_000_000 };
  const describeAll = (timestamp: string) =>
    describeComponents(
      { ...npm, metadata: { ...npm.metadata, ...{ timestamp } } },
      [component('react'), component('text')],
      new Map([['arm64', [libc]]]),
      release,
    );

  it('the bill of materials lists npm packages, the bundle of the dashboard and Debian packages once', () => {
    expect(describeAll('')).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      metadata: { timestamp: '2023-11-14T22:13:20.000Z', component: { type: 'application' } },
      components: [
        { name: 'pg' },
        {
          name: 'libstdc++6',
          purl: 'pkg:deb/debian/libstdc++6@1%3A12.2%2Bb1?arch=arm64&distro=debian-12',
          hashes: [{ alg: 'SHA-256', content: 'ab' }],
        },
        { name: 'react' },
        { name: 'text' },
      ],
      dependencies: [
        { ref: 'podstead@1.0.0', dependsOn: expect.arrayContaining(['pg@1.0.0', 'react@1.0.0']) },
        { ref: 'react@1.0.0' },
        { ref: expect.stringContaining('libstdc++6') },
      ],
    });
  });

  it('the bill of materials is the same whenever it is written', () => {
    expect(describeAll('2026-01-01')).toEqual(describeAll('2026-02-02'));
    expect(describeAll('')).toHaveProperty(
      'serialNumber',
      expect.stringMatching(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/),
    );
  });

  it('the bill of materials has what the sources of the dashboard import, without their tests', () => {
    const folder = mkdtempSync(join(tmpdir(), 'podstead-sbom-'));
    mkdirSync(join(folder, 'src'));
    const app = "import a from 'react';\nimport '@ui/kit/Button';\nimport x from './own.ts';\n";
    writeFileSync(join(folder, 'src/app.tsx'), app);
    writeFileSync(join(folder, 'src/app.test.ts'), "import { it } from 'vitest';\n");
    const bundled = listBundled(folder, {
      'node_modules/react': { version: '19.0.0', license: 'MIT', integrity: 'sha512-q80=' },
      'node_modules/@ui/kit': { version: '2.0.0', dependencies: { shape: '1' } },
      'dashboard/node_modules/shape': { version: '9.0.0' },
      'node_modules/shape': { version: '1.0.0' },
      'node_modules/vitest': { version: '4.0.0' },
    });
    rmSync(folder, { recursive: true });
    expect(bundled.map((entry) => entry.purl).sort()).toEqual([
      'pkg:npm/%40ui/kit@2.0.0',
      'pkg:npm/react@19.0.0',
      'pkg:npm/shape@1.0.0',
    ]);
    expect(bundled.find(({ name }) => name === 'react')?.['hashes']).toEqual([
      { alg: 'SHA-512', content: 'abcd' },
    ]);
  });
});
