import { statfs } from 'node:fs/promises';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { JobCounts } from '../../domain/foundation/job.ts';
import { checkParts, type ReadinessChecks } from './health-routes.ts';

/** What a process needs, and the background work that it does. */
export interface PartSources {
  /** As for /readyz. */
  readonly checks: ReadinessChecks;
  readonly dataDir: string;
  readonly jobs: JobCounts;
}

/** Adds the metrics of the database, the file store, the disk and background jobs. */
export function addPartMetrics(registry: Registry, { checks, dataDir, jobs }: PartSources): void {
  const registers = [registry];
  new Gauge({
    name: 'podstead_part_up',
    help: 'Whether the database, its migrations and the file store work for this process: 1 or 0',
    labelNames: ['part'],
    registers,
    async collect() {
      this.reset();
      for (const { part, isUp } of await checkParts(checks)) this.set({ part }, isUp ? 1 : 0);
    },
  });
  new Gauge({
    name: 'podstead_disk_available_bytes',
    help: 'Free space on the disk of DATA_DIR',
    registers,
    async collect() {
      this.reset();
      const disk = await statfs(dataDir).catch(() => undefined);
      if (disk === undefined) this.remove();
      else this.set(disk.bavail * disk.bsize);
    },
  });
  new Counter({
    name: 'podstead_jobs_total',
    help: 'Background jobs that have ended in this process, by job and result',
    labelNames: ['name', 'result'],
    registers,
    collect() {
      this.reset();
      for (const [name, { done, failed }] of jobs.entries()) {
        this.inc({ name, result: 'done' }, done);
        this.inc({ name, result: 'failed' }, failed);
      }
    },
  });
}
