import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { DatabaseLog } from '../src/platform/database/database-log.ts';
import { openMemory } from './data-image.ts';

/*
 * Most tests run on PostgreSQL alone. Each statement that they send to it is then planned once on the
 * embedded database, whose version of PostgreSQL is another one.
 */

/** Where the workers write statements, one JSON string in each line. */
const folderName = 'TEST_STATEMENTS';
const isPlannable = /^\s*(?:\/\*[^*]*\*\/\s*)?(?:select|insert|update|delete|merge|with|values)\b/i;
/**
 * Some tests make tables of their own. The planner also reads constants, by the settings of the session: a
 * date that is out of range says nothing of the statement (class 22).
 */
const irrelevant = /^(?:42P01|22)/;

const log: DatabaseLog = {
  info: () => undefined,
  warn: () => undefined,
  error: (_fields, message) => void process.stderr.write(`${message}\n`),
};

/** Vitest calls this before the workers start. */
export function setup(): void {
  process.env[folderName] = mkdtempSync(join(tmpdir(), 'podstead-statements-'));
}

/** Vitest calls this after the last test. A statement that fails makes the run fail. */
export async function teardown(): Promise<void> {
  const folder = process.env[folderName] ?? '';
  const statements = readStatements(folder);
  rmSync(folder, { recursive: true, force: true });
  if (statements.length === 0) return;
  const failures = await planAll(statements);
  const about = `${statements.length} statements planned on the embedded database`;
  process.stdout.write(`${[`${about}, ${failures.length} failed`, ...failures].join('\n\n')}\n`);
  // Vitest only logs what this function throws.
  if (failures.length > 0) process.exitCode = 1;
}

/** Call it once in each worker, before the first query. */
export function recordStatements(): void {
  const folder = process.env[folderName];
  if (folder === undefined) return;
  const file = join(folder, randomUUID());
  const known = new Set<string>();
  const query = pg.Client.prototype.query as (this: pg.Client, ...all: unknown[]) => unknown;
  const recording = function (this: pg.Client, ...all: unknown[]): unknown {
    const text = textOf(all[0]);
    if (text !== undefined && !known.has(text) && isPlannable.test(text)) {
      known.add(text);
      appendFileSync(file, `${JSON.stringify(text)}\n`);
    }
    return query.apply(this, all);
  };
  pg.Client.prototype.query = recording as typeof pg.Client.prototype.query;
}

function textOf(query: unknown): string | undefined {
  if (typeof query === 'string') return query;
  const { text } = (query ?? {}) as { text?: unknown };
  return typeof text === 'string' ? text : undefined;
}

function readStatements(folder: string): string[] {
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const lines = files.flatMap((text) => text.trimEnd().split('\n'));
  return [...new Set(lines)].map((line) => JSON.parse(line) as string);
}

/** What the embedded database does not plan: its errors, each with the statement. */
export async function planAll(statements: readonly string[]): Promise<string[]> {
  await using database = await openMemory(log);
  const failures: string[] = [];
  for (const text of statements) {
    try {
      await database.pool.query(`explain (generic_plan) ${text}`);
    } catch (error) {
      const { code = '', message } = error as pg.DatabaseError;
      if (!irrelevant.test(code)) failures.push(`${message}\n${text}`);
    }
  }
  return failures;
}
