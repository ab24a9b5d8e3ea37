import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BackupRefusedError, DamagedBackupError } from './backup-errors.ts';
import { PartWriter, readPart } from './rows.ts';

const longest = 64_000_000;

async function readAll(content: Buffer, rows: number, onLines = (_count: number) => {}) {
  const zipped = gzipSync(content, { level: 1 });
  const sha256 = createHash('sha256').update(zipped).digest('hex');
  const stored = (async function* () {
    yield zipped;
  })();
  for await (const lines of readPart({ sha256, bytes: zipped.length, rows }, stored))
    onLines(lines.length);
}

// BACKUP-1
describe('the rows of a backup', () => {
  it('a row that is too long for one is refused by the name of its table', async () => {
    const writer = new PartWriter(async () => undefined, 'imports');
    const written = writer.write('x'.repeat(longest));
    await expect(written).rejects.toThrow(BackupRefusedError);
    await expect(written).rejects.toThrow('A row of imports has 64 MB');
  });

  it('a part that unpacks to a longer row is damaged', async () => {
    const read = readAll(Buffer.from(`${'x'.repeat(longest + 1)}\n`), 1);
    await expect(read).rejects.toThrow(DamagedBackupError);
    await expect(read).rejects.toThrow('a row has more than 64 MB');
  });

  it('a part is not read beyond the rows that the manifest names', async () => {
    let read = 0;
    const onLines = (count: number) => {
      read += count;
    };
    const many = readAll(Buffer.alloc(10_000_000, '\n'), 5, onLines);
    await expect(many).rejects.toThrow('number of rows');
    expect(read).toBeLessThanOrEqual(5);
    await readAll(Buffer.from('a\nb\n'), 2, onLines);
    expect(read).toBe(2);
  });
});
