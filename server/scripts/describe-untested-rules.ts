import { findCitations, isBuilt, readRules } from './contract-rules.ts';

const head = `# Rules that no test cites

A rule is here until a test names its id. Some of these rules are tested by tests that don't name them, and some can't be
tested. If a change adds a line to this page, a rule has lost its test, or a new rule has none. \`npm run docs\` writes the
page.
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
  const sections = [...untested].map(
    ([page, rules]) =>
      `\n## [${page}](${page})\n\n${rules.map(({ id, text }) => `- **${id}** ${firstSentence(text)}\n`).join('')}`,
  );
  return head + (sections.length === 0 ? '\nTests cite every rule.\n' : sections.join(''));
}

const firstSentence = (text: string) => /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
