import { system } from '../../server/src/domain/foundation/principal.ts';
import { schedule } from '../../server/src/worker/schedule.ts';
import { openInstallation, type Place } from '../installation/open-installation.ts';
import { origin, secret } from './fleet.ts';

const timeoutMs = 30_000;

/** Runs each periodic job once, in this process. Returns what failed, and why. */
export async function runAllJobs(place: Place): Promise<string[]> {
  const settings = { ...place.settings, SECRET: secret, BASE_URL: origin };
  const failures: string[] = [];
  try {
    await using app = await openInstallation({
      ...place,
      settings: { ...settings, LOG_LEVEL: 'silent' },
    });
    const ctx = app.contextFor(system);
    for (const { job } of schedule) {
      const signal = AbortSignal.timeout(timeoutMs);
      const tools = { signal, enqueue: async () => undefined };
      await job.run(ctx, {}, tools).catch((error: Error) => {
        failures.push(`${job.name}: ${error.message}`);
      });
    }
  } catch (error) {
    failures.push(`opening: ${(error as Error).message}`);
  }
  return failures;
}
