import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

/**
 * Run by npm after an installation: writes `dashboard/dist`. An installation without the packages of
 * development cannot, and works without the dashboard.
 */
const { resolve } = createRequire(import.meta.url);
try {
  resolve('vite/package.json');
  resolve('openapi-typescript/package.json');
} catch {
  process.stderr.write(
    'the dashboard is not built: its tools are not installed; run npm ci, then npm prune --omit=dev\n',
  );
  process.exit(0);
}
const { status } = spawnSync('npm', ['run', '-s', 'dashboard'], { stdio: 'inherit' });
process.exitCode = status ?? 1;
