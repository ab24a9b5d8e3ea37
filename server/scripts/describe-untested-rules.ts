import { findCitations, isBuilt, readRules } from './contract-rules.ts';

/** Why no test can cite a rule. */
const reasons: Readonly<Record<string, string>> = {
  'RELEASE-1':
    'A release takes minutes and needs the npm registry and a Debian mirror. Its parts have tests ' +
    'in server/scripts/release, and `npm run release` checks its result itself.',
};

const head = `# Rules that no test cites

A rule is here until a test names its id. Some of these rules are tested by tests that don't name them. Some can't be
tested; the reason is in italics. If a change adds a line to this page, a rule has lost its test, or a new rule has none.
\`npm run docs\` writes the page.
`;

/** The text of docs/contract/untested.md. */
export function describeUntestedRules(): string {
  const rules = readRules();
  const tested = new Set(
    findCitations(rules)
      .filter((citation) => citation.isTest)
      .map((citation) => citation.id),
  );
  const untested = Map.groupBy(
    rules.filter((rule) => isBuilt(rule) && !tested.has(rule.id)),
    (rule) => rule.page,
  );
  const obsolete = Object.keys(reasons).filter((id) => tested.has(id));
  if (obsolete.length > 0) throw new Error(`${obsolete} has a test, and a reason for having none.`);
  const sections = [...untested].map(
    ([page, rules]) => `\n## [${page}](${page})\n\n${rules.map(describeRule).join('')}`,
  );
  return head + (sections.length === 0 ? '\nTests cite every rule.\n' : sections.join(''));
}

function describeRule({ id, text }: { readonly id: string; readonly text: string }): string {
  const reason = reasons[id];
  return `- **${id}** ${firstSentence(text)}${reason === undefined ? '' : ` *${reason}*`}\n`;
}

const firstSentence = (text: string) => /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
