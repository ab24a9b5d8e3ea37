import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { answerParent, readInput } from '../answer-parent.ts';

// The server for comparison: node:http and the bare driver with the same statements and no logic.
// It also runs the statements without HTTP.

export interface BareInput {
  readonly databaseUrl: string;
  readonly poolSize: number;
  readonly statements: readonly BareStatement[];
}

export interface BareStatement {
  readonly text: string;
  /** As text, which the database converts to the type that it needs. */
  readonly values: readonly (string | number | null)[];
}

const { databaseUrl, poolSize, statements } = readInput<BareInput>();
const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
const queries = statements.map(({ text, values }, at) => ({
  name: `bare_${at}`,
  text,
  values: [...values],
}));

/** Runs the statements one after the other, because each needs the result of the one before. */
async function runAll(): Promise<unknown[]> {
  let rows: unknown[] = [];
  for (const query of queries) ({ rows } = await pool.query(query));
  return rows;
}

const server = createServer(async (_request, response) => {
  const body = JSON.stringify({ data: await runAll() });
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
});
server.keepAliveTimeout = 72_000;

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  answerParent(`http://127.0.0.1:${port}`, {
    cpuMicros() {
      const { user, system } = process.cpuUsage();
      return user + system;
    },
    /** Runs all statements repeatedly without HTTP. Returns how often they ran. */
    async drive({ connections, seconds }: { connections: number; seconds: number }) {
      const endAt = performance.now() + seconds * 1_000;
      let runs = 0;
      const drive = async () => {
        while (performance.now() < endAt) {
          await runAll();
          runs += 1;
        }
      };
      await Promise.all(Array.from({ length: connections }, drive));
      return runs;
    },
  });
});
