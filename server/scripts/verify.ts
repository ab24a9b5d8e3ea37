import { execFile } from 'node:child_process';
import { performance } from 'node:perf_hooks';

/**
 * npm run verify [-- --without-tests]: all checks that need no server, in parallel. Exits with 1 if
 * any fails.
 */

const withTests = !process.argv.includes('--without-tests');

/** The steps of a lane run one after the other; lanes run in parallel. */
const lanes = [
  ['types', 'lint', 'lint:regexps', 'lint:openapi', 'imports', 'unused'],
  withTests ? ['test:unit'] : [],
];

const results = await Promise.all(lanes.map(runLane));
process.exitCode = results.every(Boolean) ? 0 : 1;

async function runLane(scripts: readonly string[]): Promise<boolean> {
  let good = true;
  for (const script of scripts) good = (await runScript(script)) && good;
  return good;
}

/** Runs a script of package.json. Its output is shown if it fails. */
async function runScript(script: string): Promise<boolean> {
  const begun = performance.now();
  const { code, output } = await run(script);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  if (code !== 0) process.stdout.write(output);
  process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${script} (${seconds} s)\n`);
  return code === 0;
}

function run(script: string): Promise<{ code: number; output: string }> {
  const maxBuffer = 64 * 1024 * 1024;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--run', script], { maxBuffer }, (error, stdout, stderr) => {
      const failure = typeof error?.code === 'number' ? error.code : 1;
      resolve({ code: error === null ? 0 : failure, output: stdout + stderr });
    });
  });
}
