import modules from '../src/domain/modules.json' with { type: 'json' };

const head = `# The modules of the domain

Seven folders group the modules:

| folder | what it contains |
|---|---|
| \`foundation/\` | what every verb needs: the context, who acts and what they may do, accounts, changes, emails, errors, the types of tables |
| \`publishing/\` | shows, episodes, and everything that belongs to them, as their team works on them |
| \`access/\` | how people and programs get in: sessions and API keys |
| \`public/\` | what the public sees: the catalogue, feeds, previews |
| \`audience/\` | who listens: counted downloads, statistics, the limits of plans |
| \`exchange/\` | other systems: imported feeds, exports, connected sites |
| \`service/\` | what spans all of these: whole shows, the home page, deleting accounts, seed files, the sweep of files |

Each module has an \`index.ts\`, the only file that other modules import, files for its verbs, and \`*.sql.ts\` files with
every statement on its tables. A module may import the modules above it in this table. \`npm run docs\` writes the table
from \`modules.json\`, whose order \`npm run imports\` enforces.

`;

/** The text of server/src/domain/README.md, with the modules in the order that imports follow. */
export function describeModules(): string {
  const rows = Object.entries(modules).map(([module, owns]) => `| \`${module}\` | ${owns} |\n`);
  return `${head}| module | what it owns |\n|---|---|\n${rows.join('')}`;
}
