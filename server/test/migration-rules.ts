import type pg from 'pg';
import { isReleaseSince } from '../src/lib/is-release-since.ts';
import type { MigrationFile } from '../src/platform/database/migrations/migration-files.ts';

// What a migration does to processes of the release before it (server/migrations/README.md), found by comparing the
// catalogs of a database before and after it.

interface Part {
  readonly kind: 'relation' | 'column' | 'constraint' | 'index' | 'trigger' | 'function';
  /** Of a relation and a function: its own name. */
  readonly table: string;
  readonly name: string;
  readonly definition: string;
  readonly columns: readonly string[];
  /** Of a column: NOT NULL. Of an index or constraint: no value twice. */
  readonly isStrict: boolean;
  /** Of a column: its default. Of a relation: its file, which is another one after a rewrite. */
  readonly detail: string | null;
  /** Of a foreign key: whose rows can't be deleted while rows name them. */
  readonly keeps: string | null;
}

/** A schema as the processes of one release know it. */
export type Catalog = ReadonlyMap<string, Part>;

export async function readCatalog(client: pg.ClientBase): Promise<Catalog> {
  const { rows } = await client.query<Part>(selectParts);
  return new Map(rows.map((part) => [`${part.kind} ${part.table} ${part.name}`, part]));
}

/** Every change that processes of the release before may not bear, in the words of a `-- contract:` line. */
export function listRiskyChanges(before: Catalog, after: Catalog): string[] {
  const found = new Set<string>();
  for (const [key, part] of before) {
    const now = after.get(key);
    if (now === undefined) {
      if (!isGoneWithMore(part, after)) found.add(`drop ${describePart(part)}`);
    } else for (const change of describeChanges(part, now)) found.add(change);
  }
  for (const [key, part] of after)
    if (!before.has(key) && isRiskyAddition(part, before)) found.add(`add ${describePart(part)}`);
  return [...found].sort();
}

function describePart({ kind, table, name, isStrict }: Part): string {
  if (kind === 'relation') return `table ${table}`;
  if (kind === 'function') return `function ${table}`;
  return `${kind === 'index' && isStrict ? 'unique ' : ''}${kind} ${table}.${name}`;
}

/** Whether its table or a column of it is gone, too. */
function isGoneWithMore({ kind, table, columns }: Part, after: Catalog): boolean {
  if (kind === 'relation' || kind === 'function') return false;
  if (!after.has(`relation ${table} ${table}`)) return true;
  return kind !== 'column' && columns.some((name) => !after.has(`column ${table} ${name}`));
}

function describeChanges(before: Part, after: Part): string[] {
  const what = describePart(before);
  if (before.kind === 'relation') return before.detail === after.detail ? [] : [`rewrite ${what}`];
  const changes: string[] = [];
  if (before.definition !== after.definition) changes.push(`change ${what}`);
  if (before.kind === 'column' && before.detail !== after.detail)
    changes.push(`change default of ${what}`);
  if (before.kind === 'column' && !before.isStrict && after.isStrict)
    changes.push(`set not null ${what}`);
  return changes;
}

function isRiskyAddition(part: Part, before: Catalog): boolean {
  const { kind, table, columns } = part;
  // Whoever deletes rows of that table doesn't know the rows that name them.
  if (part.keeps !== null && before.has(`relation ${part.keeps} ${part.keeps}`)) return true;
  if (kind === 'relation' || kind === 'function' || !before.has(`relation ${table} ${table}`))
    return false;
  if (kind === 'column') return part.isStrict && part.detail === null;
  // Builds of indexes block writes, and triggers run for everyone.
  if (kind === 'index' || kind === 'trigger') return true;
  const isOld = (name: string) => before.has(`column ${table} ${name}`);
  // Those who don't know a column write its default everywhere.
  return part.isStrict || columns.some(isOld);
}

/** Changes that only take time or that a person has to judge. The others need a release that is ready for them. */
const judged = /^(?:add index|rewrite|change default|(?:add|change) trigger|change function)/;
const noteLine = /^-- contract: (.+?): (.+)$/gm;
const since = / since (\d+\.\d+\.\d+)$/;

/** What is wrong with a migration that makes these changes; `release` is the newest that has been made. */
export function findProblems(
  { sql, oldestRelease }: Pick<MigrationFile, 'sql' | 'oldestRelease'>,
  changes: readonly string[],
  release: string,
): string[] {
  const oldest = oldestRelease ?? '';
  if (oldest === '') return [`its first line is not "-- works with: ${release}"`];
  if (!isReleaseSince(release, oldest)) return [`there is no release ${oldest} yet`];
  const notes = new Map(
    [...sql.matchAll(noteLine)].map(([, change = '', reason = '']) => [change, reason]),
  );
  const problems = [...notes.keys()]
    .filter((change) => !changes.includes(change))
    .map((change) => `it has no such change: ${change}`);
  for (const change of changes) {
    const reason = notes.get(change);
    if (reason === undefined) problems.push(`${change}: no line "-- contract: ${change}: …"`);
    else if (!judged.test(change)) {
      const ready = since.exec(reason)?.[1];
      if (ready === undefined)
        problems.push(`${change}: the reason doesn't end with "since VERSION"`);
      else if (!isReleaseSince(oldest, ready))
        problems.push(`${change}: ${oldest} isn't ready for it, only ${ready} is`);
    }
  }
  return problems;
}

const ours = `select c.oid, c.relname as name from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    and not c.relispartition`;

const namesOf = (
  table: string,
  numbers: string,
) => `array(select a.attname::text from pg_attribute a
  where a.attrelid = ${table} and a.attnum = any (${numbers}) order by 1)`;

const nothing = `'{}'::text[] as columns, false as "isStrict", null as detail, null as keeps`;

const selectParts = `
  with ours as (${ours})
  select 'relation' as kind, c.relname::text as "table", c.relname::text as name, c.relkind::text as definition,
    '{}'::text[] as columns, false as "isStrict",
    case when c.relkind = 'S' then '' else c.relfilenode::text end as detail, null as keeps
  from pg_class c where c.relnamespace = current_schema()::regnamespace
    and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
  union all
  select 'column', t.name, a.attname,
    concat(format_type(a.atttypid, a.atttypmod), ' ', nullif(a.attcollation, 100), a.attidentity,
      case when a.attgenerated <> '' then pg_get_expr(d.adbin, d.adrelid) end),
    array[a.attname]::text[], a.attnotnull,
    case when a.attidentity <> '' or a.attgenerated <> '' then '' else pg_get_expr(d.adbin, d.adrelid) end, null
  from ours t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  union all
  select 'constraint', t.name, k.conname, pg_get_constraintdef(k.oid), ${namesOf('t.oid', 'k.conkey')},
    k.contype in ('p', 'u', 'x'), null,
    case when k.contype = 'f' and k.confdeltype in ('a', 'r') then k.confrelid::regclass::text end
  from ours t join pg_constraint k on k.conrelid = t.oid and k.contype in ('c', 'f', 'p', 'u', 'x')
  union all
  select 'index', t.name, i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid),
    ${namesOf('t.oid', 'i.indkey')}, i.indisunique, null, null
  from ours t join pg_index i on i.indrelid = t.oid
  where not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
  union all
  select 'trigger', t.name, g.tgname, pg_get_triggerdef(g.oid), ${nothing}
  from ours t join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal
  union all
  select 'function', p.oid::regprocedure::text, '', pg_get_functiondef(p.oid), ${nothing}
  from pg_proc p where p.pronamespace = current_schema()::regnamespace and p.prokind in ('f', 'p')
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`;
