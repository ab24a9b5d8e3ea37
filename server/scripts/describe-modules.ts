import modules from '../src/domain/modules.json' with { type: 'json' };

/** The table of the domain's modules in ARCHITECTURE.md, in the order that `npm run imports` checks. */
function describeModules(): string {
  const rows = Object.entries(modules).map(([module, owns]) => `| \`${module}\` | ${owns} |`);
  return ['| module | owns |', '|---|---|', ...rows].join('\n');
}

/** ARCHITECTURE.md with the table as it is now. */
export function withModules(architecture: string): string {
  return architecture.replace(/\| module \| owns \|\n(?:\|.*\n)*/, () => `${describeModules()}\n`);
}
