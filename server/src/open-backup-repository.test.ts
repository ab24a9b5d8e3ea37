import { expect, it } from 'vitest';
import { nameOfPlace, openBackupRepository } from './open-backup-repository.ts';

const s3 = {
  ...{ region: 'us-east-1', endpoint: undefined, accessKeyId: '', secretAccessKey: '' },
  forcePathStyle: false,
};
const config = { dataDir: '/nowhere/data', diskReserveBytes: 0, s3 };

it.each(['.', 'blobs', 'database/backups', 'emails', 'scratch', 'scratch/backups'])(
  'no repository of backups is in DATA_DIR/%s, which Podstead uses itself',
  async (target) => {
    const place = { target, cwd: '/nowhere/data', mayBegin: false };
    await expect(openBackupRepository(config, place)).rejects.toThrow('by the installation itself');
  },
);

it('the name of a place is the same for each spelling, and another for another bucket', () => {
  const nameOf = (target: string, endpoint?: string) =>
    nameOfPlace({ s3: { ...s3, endpoint } }, { target, cwd: '/srv' });
  expect(nameOf('backups')).toBe(nameOf('/srv/./backups/'));
  const buckets = [
    nameOf('s3://a/b'),
    nameOf('s3://a/c'),
    nameOf('s3://a/b', 'https://s3.example'),
  ];
  expect(new Set(buckets).size).toBe(3);
});
