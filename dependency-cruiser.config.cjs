const modules = require('./server/src/domain/modules.json');

// The import table of ARCHITECTURE.md, as rules: dependencies point one way.

/** In this order a module may import the index of those before it. */
const domainOrder = Object.keys(modules);
const source = '^server/src/';
const tests = '[.]test[.]tsx?$|^server/test/|^dashboard/test/';
const platformPorts =
  'platform/(blob-store/(backup-store|blob-store|disk-room|partial-blobs)|clock/clock|database/(announcements|binary-(array|rows|values)|copy-in|process-identity|snapshot|statement-names|transaction|sql-errors|table-rows)|dns/dns|files/open-regular-file|geo/geo|journal/journal|log/log|mailer/mailer|outbound-http/(outbound-http|download-file)|rate-limiter/rate-limiter|processes/(child-processes|job|turns))[.]ts$';

const forbid = (name, comment, from, to) => ({
  name,
  comment,
  severity: 'error',
  from: { pathNot: tests, ...from },
  to,
});

const domainModules = domainOrder.flatMap((module, index) => [
  forbid(
    `domain-${module}-order`,
    'a domain module imports only those that stand before it',
    { path: `${source}domain/${module}/` },
    {
      path: `${source}domain/(${[...domainOrder.slice(index + 1), '-'].join('|')})/`,
    },
  ),
  forbid(
    `domain-${module}-index`,
    "another module's index.ts is its door",
    {
      path: `${source}(domain|http|cli|worker)/`,
      pathNot: [tests, `${source}domain/${module}/`, 'domain/foundation/tables[.]ts$'],
    },
    {
      path: `${source}domain/${module}/`,
      pathNot: `${source}domain/${module}/(index|.*/index)[.]ts$`,
    },
  ),
]);

module.exports = {
  forbidden: [
    forbid(
      'no-cycles',
      'data flows one way; a file may name the type of one that loads it late',
      { path: '^(server|player|dashboard)/' },
      { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import'] } },
    ),
    forbid(
      'foundation',
      'what all modules import names none of them',
      { path: `${source}domain/foundation/[^/]+[.]ts$` },
      { path: `${source}domain/[^/]+/[^/]+/` },
    ),
    forbid(
      'tests',
      'what runs imports nothing of the tests',
      { path: '^(server|player|dashboard)/' },
      { path: `${tests}|^player/test/` },
    ),
    forbid(
      'lib',
      'lib/ imports lib/ alone',
      { path: `${source}lib/` },
      { path: source, pathNot: `${source}lib/` },
    ),
    forbid(
      'platform',
      'platform/ imports lib/, platform/ and drivers',
      { path: `${source}platform/` },
      { path: source, pathNot: `${source}(lib|platform)/` },
    ),
    forbid(
      'domain',
      'domain/ imports nothing of http/, cli/ or config/',
      { path: `${source}domain/` },
      { path: `${source}(http|cli|worker|config|app|main)` },
    ),
    forbid(
      'domain-platform',
      "domain/ imports the platform's interfaces, not what implements them",
      { path: `${source}domain/` },
      { path: `${source}platform/`, pathNot: platformPorts },
    ),
    forbid(
      'entrances',
      'http/, cli/ and worker/ never import each other',
      { path: `${source}(http|cli|worker)/` },
      { path: `${source}(http|cli|worker)/`, pathNot: `${source}$1/` },
    ),
    forbid(
      'public-api',
      "what both APIs share stands outside of the public API's folder",
      { path: `${source}http/(?!v1/|openapi/)[^/]+/` },
      { path: `${source}http/v1/` },
    ),
    forbid(
      'sql',
      'SQL stands in *.sql.ts, reached only from its own module',
      { path: `${source}(http|cli|worker)/` },
      { path: '[.]sql[.]ts$' },
    ),
    forbid(
      'kysely',
      'queries are written in *.sql.ts',
      {
        path: `${source}(domain|http|cli|worker)/`,
        pathNot: [tests, '[.]sql[.]ts$', 'domain/foundation/(database|tables)[.]ts$'],
      },
      { path: 'node_modules/(kysely|pg)/' },
    ),
    forbid(
      'player',
      'the player runs in browsers; it takes only podcast apps and colors from the server',
      { path: '^player/src/' },
      { pathNot: '^(player/(src/|index[.]d[.]ts$)|server/src/lib/(color|follow-apps)[.]ts$)' },
    ),
    forbid(
      'dashboard',
      'the dashboard runs in browsers; it takes only data and pure rules from the server',
      { path: '^dashboard/src/' },
      { path: '^server/src/', pathNot: '^server/src/lib/' },
    ),
    forbid(
      'screens',
      'what two screens need stands in components, lib or a folder of its own',
      { path: '^dashboard/src/screens/([^/]+)/' },
      { path: '^dashboard/src/screens/', pathNot: '^dashboard/src/screens/$1/' },
    ),
    ...domainModules,
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.json'] },
    doNotFollow: { path: 'node_modules' },
  },
};
