import {
  type AppRuns,
  appCommands,
  type CommandSpec,
  type ProcessRuns,
  processCommands,
} from './command.ts';

const serve = {
  name: 'serve',
  about: 'Serves the API, pages and files, and runs the background work.',
  notes: [
    'Migrates first. Prints {"event":"listening","url":…} when ready. SIGTERM and SIGINT stop',
    'it within 10 s, after running requests have finished; a second one ends it immediately.',
    'WORKER=off leaves the background work to `worker`.',
  ].join('\n'),
  needs: 'nothing',
} as const satisfies CommandSpec;

const worker = {
  name: 'worker',
  about: 'Runs only the background work, for installations of several processes.',
  notes: [
    'Any number may run on one PostgreSQL server. With the embedded database, `serve` does it.',
    'Prints {"event":"working"} when ready. SIGTERM and SIGINT stop it within 10 s.',
  ].join('\n'),
  needs: 'database',
} as const satisfies CommandSpec;

const migrate = {
  name: 'migrate',
  about: 'Brings the database up to date.',
  notes: [
    'Several processes may run it at once. Every command that opens the database does the same, but',
    'in production most commands refuse a database without Podstead tables.',
  ].join('\n'),
  needs: 'nothing',
} as const satisfies CommandSpec;

const config = {
  name: 'config',
  about: 'Shows all settings and their sources, with secrets masked.',
  notes: 'Like every command, it reports all invalid settings at once.',
  needs: 'nothing',
} as const satisfies CommandSpec;

const demo = {
  name: 'demo',
  about: 'Serves a temporary installation with a show.',
  notes: [
    'Uses PORT, or a free port if that is taken or 0, and METRICS_PORT in the same way. Other settings',
    'have no effect. Everything is deleted when it stops.',
  ].join('\n'),
  needs: 'nothing',
} as const satisfies CommandSpec;

const openapi = {
  name: 'openapi',
  about: 'Prints the OpenAPI document of the public API.',
  notes: 'The same as server/openapi/v1.json, with an example host.',
  needs: 'nothing',
} as const satisfies CommandSpec;

const routes = {
  name: 'routes',
  about: 'Prints every route: method, path, who may call it, what it does.',
  notes: 'Pages and files show the name of their group instead of a summary.',
  needs: 'nothing',
} as const satisfies CommandSpec;

const serving = { serve, worker };
const printing = { openapi, routes };
export type ServeRuns = ProcessRuns<typeof serving & typeof printing>;
const migrating = { migrate };
export type MigrateRuns = AppRuns<typeof migrating>;
const showing = { config };
export type ConfigRuns = ProcessRuns<typeof showing>;
const demonstrating = { demo };
export type DemoRuns = ProcessRuns<typeof demonstrating>;

/** Commands that run an installation. */
export const servingCommands = [
  ...processCommands(serving, () => import('./serve.ts')),
  ...appCommands(migrating, () => import('./migrate.ts')),
];

/** Commands that show something and change nothing. */
export const toolCommands = [
  ...processCommands(showing, () => import('./config.ts')),
  ...processCommands(demonstrating, () => import('./demo.ts')),
  ...processCommands(printing, () => import('./serve.ts')),
];
