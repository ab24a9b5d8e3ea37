import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processExists } from '../../platform/database/process-identity.ts';

export interface TemporaryFolder extends AsyncDisposable {
  readonly path: string;
}

const prefix = 'podstead-demo-';

/**
 * A folder that is deleted when this process ends. The next demo deletes folders of killed
 * processes.
 */
export async function makeTemporaryFolder(): Promise<TemporaryFolder> {
  await removeLeftovers();
  const path = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  const removeNow = () => rmSync(path, { recursive: true, force: true });
  process.on('exit', removeNow);
  return {
    path,
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true });
      process.off('exit', removeNow);
    },
  };
}

async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (pid === undefined || processExists(Number(pid))) continue;
    // Folders of other users stay.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}
