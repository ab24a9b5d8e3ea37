import pg from 'pg';

/** Rows that migrations have written are kept here. */
const keep = `create schema initial;
  do $$ declare name text; begin
    for name in select relname from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r'
        and relname <> 'schema_migrations' and pg_relation_size(oid) > 0
    loop
      execute format('create table initial.%1$I as table public.%1$I', name);
    end loop;
  end $$`;

/** Large tables are truncated, so that each test finds them short, and the order of rows is theirs. */
const largeBytes = 16_384;

/** Without triggers. What a test has begun must have ended: its connections are closed. */
const empty = `do $$ declare name text; large text; begin
  set local session_replication_role = replica;
  perform pg_terminate_backend(pid, 10000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and backend_type = 'client backend';
  select string_agg(oid::regclass::text, ', ') into large from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname <> 'schema_migrations' and pg_relation_size(oid) > ${largeBytes};
  if large is not null then execute format('truncate %s cascade', large); end if;
  for name in select oid::regclass from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname <> 'schema_migrations' and pg_relation_size(oid) > 0
  loop
    execute format('delete from %s', name);
  end loop;
  for name in select relname from pg_class where relnamespace = 'initial'::regnamespace loop
    execute format('insert into public.%1$I overriding system value table initial.%1$I', name);
  end loop;
  perform setval(oid, 1, false) from pg_class where relkind = 'S';
end $$`;

/** What a test may leave beside rows: triggers, tables, and those of a worker in a schema of its own. */
const describe = `select
    (select string_agg(tgname, ' ' order by oid) from pg_trigger) as triggers,
    (select string_agg(oid::regclass::text, ' ' order by oid) from pg_class
      where relkind in ('r', 'p') and not relispartition and relnamespace::regnamespace::text
        not in ('pg_catalog', 'information_schema', 'initial')) as tables`;

/** A database of the tests, which it empties again and again. */
export class EmptiedDatabase implements AsyncDisposable {
  readonly #client: pg.Client;
  readonly #described: unknown;

  private constructor(client: pg.Client, described: unknown) {
    this.#client = client;
    this.#described = described;
  }

  /** Of a database that nobody has used since its migrations. */
  static async open(url: string): Promise<EmptiedDatabase> {
    const client = new pg.Client(url);
    await client.connect();
    await client.query(keep);
    return new EmptiedDatabase(client, (await client.query(describe)).rows[0]);
  }

  /** Returns false if a test has changed more than rows: then it cannot be used again. */
  async tryEmpty(): Promise<boolean> {
    const { rows } = await this.#client.query(describe);
    if (JSON.stringify(rows[0]) !== JSON.stringify(this.#described)) return false;
    await this.#client.query(empty);
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end();
  }
}
