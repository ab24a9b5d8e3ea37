import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import autocannon from 'autocannon';

const execute = promisify(execFile);

export interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether responses of 4xx are expected. */
  readonly mayRefuse?: boolean;
}

export interface Load {
  readonly requests: number;
  readonly seconds: number;
}

/** Sends requests over keep-alive connections: each sends the next one after the last response. */
export interface LoadTool {
  readonly name: string;
  /** Throws when a response is neither 2xx nor 3xx, if it must not be, or a connection fails. */
  put(target: Target, signal: AbortSignal): Promise<Load>;
}

export const connections = 32;
export const secondsPerRun = 1;

/** Uses wrk if it is installed, because it uses the least CPU time. */
export async function chooseLoadTool(): Promise<LoadTool> {
  const found = await execute('wrk', ['--version']).then(
    () => true,
    // It prints its version and exits with 1. ENOENT means that it is not installed.
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
  return found ? wrk : autocannonTool;
}

const wrk: LoadTool = {
  name: 'wrk',
  async put({ url, headers, mayRefuse = false }, signal) {
    const { stdout } = await execute(
      'wrk',
      [
        ...['-t', '1', '-c', String(connections), '-d', `${secondsPerRun}s`],
        ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
        url,
      ],
      { signal },
    );
    const wrong = mayRefuse ? /Socket errors/ : /Socket errors|Non-2xx/;
    if (wrong.test(stdout)) throw new Error(stdout);
    const [, requests, seconds] = /(\d+) requests in ([\d.]+)s/.exec(stdout) ?? [];
    if (requests === undefined) throw new Error(`wrk said something unknown:\n${stdout}`);
    return { requests: Number(requests), seconds: Number(seconds) };
  },
};

const autocannonTool: LoadTool = {
  name: 'autocannon',
  async put({ url, headers, mayRefuse = false }) {
    const result = await autocannon({ url, headers, connections, duration: secondsPerRun });
    const refused = mayRefuse ? 0 : result['4xx'];
    const wrong = refused + result['5xx'] + result.errors + result.timeouts;
    if (wrong > 0) throw new Error(`${wrong} requests failed`);
    return { requests: result.requests.total, seconds: result.duration };
  },
};
